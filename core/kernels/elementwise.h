#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/parallel.h"
#include "kernels/broadcast.h"
#include "kernels/dispatch.h"
#include "kernels/kernel_context.h"
#include "kernels/simd.h"

namespace ge {

// Elements that are worth a thread: about 32 KiB.
inline constexpr int64_t kElementGrain = 8192;

// The type a kernel computes in: float for the 16-bit floats, else the type itself.
template <typename T>
struct ComputeTypeOf {
  using type = T;
};
template <>
struct ComputeTypeOf<Half> {
  using type = float;
};
template <>
struct ComputeTypeOf<Bf16> {
  using type = float;
};
template <>
struct ComputeTypeOf<Bool> {
  using type = bool;
};
template <typename T>
using ComputeType = typename ComputeTypeOf<T>::type;

template <typename T>
inline constexpr bool kComputesInFloat = std::is_same_v<ComputeType<T>, float>;

// `value` in type T.  An integer type truncates toward zero; out of range gives the nearest limit
// and NaN gives 0.
template <typename T>
T TruncatedTo(double value) {
  if constexpr (std::is_integral_v<T>) {
    using Limits = std::numeric_limits<T>;
    if (std::isnan(value)) return T{0};
    if (value <= static_cast<double>(Limits::min())) return Limits::min();
    if (value >= static_cast<double>(Limits::max())) return Limits::max();
  }
  return static_cast<T>(value);
}

// A loop over floats that float32, float16 and bfloat16 share; the function is behind `f`.  The
// loop copies it, parameters and all (kernels/simd.h).
struct FloatLoop1 {
  void (*run)(const void* f, const float* x, float* out, int64_t count);
  const void* f;
};
struct FloatLoop2 {
  // A step is 1, or 0 for an operand of one element.
  void (*run)(const void* f, const float* x, int64_t x_step, const float* y, int64_t y_step,
              float* out, int64_t count);
  const void* f;
};
// Runs a loop over output 0, whose dtype is that of the inputs.
void MapFloats(const KernelContext& ctx, const FloatLoop1& loop);
void MapFloats(const KernelContext& ctx, const FloatLoop2& loop);

// out[i] = f(x[i]) over all elements.  GE_INLINE on `f` makes the loop over floats vectorise; its
// parameters are captured by value.
template <typename Out, typename In, typename F>
void MapUnary(const KernelContext& ctx, const F& f) {
  if constexpr (std::is_same_v<Out, In> && kComputesInFloat<In>) {
    MapFloats(ctx, FloatLoop1{[](const void* g, const float* x, float* out, int64_t count) {
                                const F function = *static_cast<const F*>(g);
                                Vectorised([=]() GE_INLINE {
                                  GE_IN_PLACE
                                  for (int64_t i = 0; i < count; ++i) out[i] = function(x[i]);
                                });
                              },
                              &f});
  } else {
    const In* x = ctx.inputs[0].as<In>();
    Out* out = ctx.outputs[0].as<Out>();
    ParallelFor(ctx.outputs[0].elements(), kElementGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        out[i] = static_cast<Out>(f(static_cast<ComputeType<In>>(x[i])));
      }
    });
  }
}

// out[i] = f(x[i * x_step], y[i * y_step]), with an operand that repeats taken out of the loop.
template <typename X, typename Y, typename Out, typename F>
GE_INLINE inline void MapRow(const X* x, int64_t x_step, const Y* y, int64_t y_step, Out* out,
                             int64_t count, const F& f) {
  if (x_step == 0) {
    const X repeated = *x;
    GE_IN_PLACE
    for (int64_t i = 0; i < count; ++i) out[i] = f(repeated, y[i * y_step]);
  } else if (y_step == 0) {
    const Y repeated = *y;
    GE_IN_PLACE
    for (int64_t i = 0; i < count; ++i) out[i] = f(x[i], repeated);
  } else {
    GE_IN_PLACE
    for (int64_t i = 0; i < count; ++i) out[i] = f(x[i], y[i]);
  }
}

// out[i] = f(x[i], y[i]) over a broadcast result.
template <typename Out, typename X, typename Y, typename F>
void MapBinary(const KernelContext& ctx, const F& f) {
  if constexpr (std::is_same_v<Out, X> && std::is_same_v<X, Y> && kComputesInFloat<X>) {
    MapFloats(ctx, FloatLoop2{[](const void* g, const float* x, int64_t x_step, const float* y,
                                 int64_t y_step, float* out, int64_t count) {
                                const F function = *static_cast<const F*>(g);
                                Vectorised([=]() GE_INLINE {
                                  MapRow(x, x_step, y, y_step, out, count, function);
                                });
                              },
                              &f});
  } else {
    const auto one = [&f](X x, Y y) GE_INLINE {
      return static_cast<Out>(f(static_cast<ComputeType<X>>(x), static_cast<ComputeType<Y>>(y)));
    };
    ForRows(ctx.outputs[0].shape, ctx.inputs, kElementGrain, [&](const RowPart& row) {
      MapRow(ctx.inputs[0].as<X>() + row.start[0], row.step[0],
             ctx.inputs[1].as<Y>() + row.start[1], row.step[1], ctx.outputs[0].as<Out>() + row.out,
             row.size, one);
    });
  }
}

// MapUnary for any float, or for any number; NotBuilt for other dtypes.
template <typename F>
Status MapFloatTypes(KernelContext& ctx, const F& f) {
  const bool built =
      VisitFloats(ctx.inputs[0].dtype, [&]<typename T>(T) { MapUnary<T, T>(ctx, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}
template <typename F>
Status MapNumberTypes(KernelContext& ctx, const F& f) {
  const bool built =
      VisitNumbers(ctx.inputs[0].dtype, [&]<typename T>(T) { MapUnary<T, T>(ctx, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}

// MapFloatTypes that takes integers and bool too: f of their values in double.  A result of an
// integer type is truncated as by a cast.
template <typename F>
Status MapValues(KernelContext& ctx, const F& f) {
  const DataType in = ctx.inputs[0].dtype, out = ctx.outputs[0].dtype;
  bool built = false;
  VisitIntegers(in, [&]<typename T>(T) {
    if (in == out) {
      MapUnary<T, T>(ctx, [f](auto x) { return TruncatedTo<T>(f(static_cast<double>(x))); });
      built = true;
    } else {
      built = VisitFloats(out, [&]<typename Out>(Out) {
        MapUnary<Out, T>(
            ctx, [f](auto x) { return static_cast<ComputeType<Out>>(f(static_cast<double>(x))); });
      });
    }
  });
  return built ? Status::Ok() : MapFloatTypes(ctx, f);
}

}  // namespace ge
