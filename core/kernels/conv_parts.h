#pragma once

#include <vector>

#include "kernels/elementwise.h"
#include "kernels/gemm.h"
#include "kernels/window_rows.h"

// What the convolution kernels share.
namespace ge::kernels {

// One value per output channel to start the sums with: the bias, or zeros.
template <typename C>
std::vector<C> StartValues(const ConvProblem& problem, const void* bias) {
  std::vector<C> start(static_cast<size_t>(problem.y.dims[1]), C{0});
  if (bias == nullptr) return start;
  VisitNumbers(problem.bias, [&]<typename B>(B) {
    // The shape rule has seen to it that the bias is of one kind with the result.
    if constexpr (std::is_integral_v<B> == std::is_integral_v<C>) {
      const B* from = static_cast<const B*>(bias);
      for (size_t i = 0; i < start.size(); ++i) start[i] = static_cast<C>(from[i]);
    }
  });
  return start;
}

// Calls run(x, filter, y) with all three tensors in the order of their axes.
template <typename T, typename R, typename Run>
void WithDense(const ConvProblem& problem, const void* x, const void* filter, void* y,
               const Run& run) {
  std::vector<uint8_t> x_copy, filter_copy, y_copy;
  const T* dense_x = static_cast<const T*>(Dense(problem.x, x, problem.dtype, x_copy));
  const T* dense_filter =
      static_cast<const T*>(Dense(problem.filter, filter, problem.dtype, filter_copy));
  const bool direct = problem.y.is_dense();
  if (!direct) y_copy.resize(static_cast<size_t>(problem.y.elements()) * sizeof(R));
  void* dense_y = direct ? y : y_copy.data();
  run(dense_x, dense_filter, static_cast<R*>(dense_y));
  if (!direct) FromDense(problem.y, dense_y, problem.result, y);
}

inline int64_t Volume(const Spatial& dims) {
  return dims[0] * dims[1] * dims[2];
}

// Calls visit(T()) for the dtypes of x that convolutions take.
template <typename Visit>
bool VisitConvTypes(DataType dtype, Visit&& visit) {
  if (dtype == DataType::kInt8) {
    visit(int8_t());
  } else if (dtype == DataType::kInt32) {
    visit(int32_t());
  } else if (dtype == DataType::kFloat) {
    visit(float());
  } else if (dtype == DataType::kDouble) {
    visit(double());
  } else {
    return false;  // narrower floats are widened before
  }
  return true;
}

}  // namespace ge::kernels
