#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/half_rows.h"
#include "kernels/kernel_context.h"

// Kernels that compute in float or double see tensors of the narrower floats through these.
namespace ge {

// Calls visit(C()) with the type that floats of `dtype` are computed in: double for float64, else
// float.  False for other dtypes.
template <typename Visit>
bool VisitWide(DataType dtype, Visit&& visit) {
  switch (dtype) {
    case DataType::kFloat:
    case DataType::kFloat16:
    case DataType::kBf16:
      visit(float());
      return true;
    case DataType::kDouble:
      visit(double());
      return true;
    default:
      return false;
  }
}

// The elements of a tensor of numbers in type C: in place when they have it, else converted.
template <typename C>
class WideInput {
 public:
  explicit WideInput(const HostTensor& tensor) {
    known_ = VisitNumbers(tensor.dtype, [&]<typename T>(T) {
      if constexpr (std::is_same_v<T, C>) {
        data_ = tensor.as<C>();
      } else {
        converted_.resize(static_cast<size_t>(tensor.elements()));
        const T* from = tensor.as<T>();
        C* to = converted_.data();
        ParallelFor(tensor.elements(), kElementGrain, [&](int64_t begin, int64_t end) {
          if constexpr (kIsNarrowFloat<T> && std::is_same_v<C, float>) {
            return WidenRow(from + begin, to + begin, end - begin);
          }
          Vectorised([&]() GE_INLINE {
            for (int64_t i = begin; i < end; ++i) to[i] = static_cast<C>(from[i]);
          });
        });
        data_ = to;
      }
    });
  }
  bool known() const { return known_; }  // false for a dtype that is no number of whole bytes
  const C* data() const { return data_; }
  C operator[](int64_t i) const { return data_[i]; }

 private:
  std::vector<C> converted_;
  const C* data_ = nullptr;
  bool known_;
};

// Results in type C for an output of a float type, which Store() rounds to it.
template <typename C>
class WideOutput {
 public:
  explicit WideOutput(const HostTensor& tensor) : tensor_(tensor) {
    const DataType own = std::is_same_v<C, float> ? DataType::kFloat : DataType::kDouble;
    if (tensor.dtype == own) {
      data_ = tensor.as<C>();
    } else {
      wide_.resize(static_cast<size_t>(tensor.elements()));
      data_ = wide_.data();
    }
  }
  C* data() { return data_; }
  void Store() {
    if (data_ != wide_.data()) return;
    VisitFloats(tensor_.dtype, [&]<typename T>(T) {
      T* to = tensor_.as<T>();
      ParallelFor(tensor_.elements(), kElementGrain, [&](int64_t begin, int64_t end) {
        const C* from = data_;
        if constexpr (kIsNarrowFloat<T> && std::is_same_v<C, float>) {
          return NarrowRow(from + begin, to + begin, end - begin);
        }
        Vectorised([&]() GE_INLINE {
          for (int64_t i = begin; i < end; ++i) to[i] = static_cast<T>(from[i]);
        });
      });
    });
  }

 private:
  HostTensor tensor_;
  std::vector<C> wide_;
  C* data_;
};

}  // namespace ge
