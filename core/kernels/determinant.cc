#include "kernels/determinant.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/dispatch.h"

namespace ge::kernels {
namespace {

// Destroys `m`, which is n x n.
double Determinant(std::vector<double>& m, int64_t n) {
  const auto row = [&](int64_t i) { return m.begin() + i * n; };
  double product = 1;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i) {
      if (std::fabs(row(i)[k]) > std::fabs(row(pivot)[k])) pivot = i;
    }
    if (pivot != k) {
      std::swap_ranges(row(k), row(k) + n, row(pivot));
      product = -product;
    }
    const double head = row(k)[k];
    product *= head;
    if (head == 0) return product;
    for (int64_t i = k + 1; i < n; ++i) {
      const double factor = row(i)[k] / head;
      for (int64_t j = k + 1; j < n; ++j) row(i)[j] -= factor * row(k)[j];
    }
  }
  return product;
}

}  // namespace

Status MatrixDeterminant(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const int64_t n = x.shape[x.shape.rank() - 1];
  const bool built = VisitFloats(x.dtype, [&]<typename T>(T) {
    T* y = ctx.outputs[0].as<T>();
    constexpr int64_t kGrainElements = 4096;
    ParallelFor(ctx.outputs[0].elements(), 1 + kGrainElements / std::max<int64_t>(1, n),
                [&](int64_t begin, int64_t end) {
                  std::vector<double> matrix;
                  for (int64_t i = begin; i < end; ++i) {
                    const T* first = x.as<T>() + i * n * n;
                    matrix.assign(first, first + n * n);
                    y[i] = static_cast<T>(Determinant(matrix, n));
                  }
                });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
