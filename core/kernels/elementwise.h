#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/broadcast.h"
#include "kernels/dispatch.h"
#include "kernels/kernel_context.h"

namespace ge {

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
template <typename T>
using ComputeType = typename ComputeTypeOf<T>::type;

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

// out[i] = f(x[i]) over all elements.
template <typename Out, typename In, typename F>
void MapUnary(const KernelContext& ctx, F f) {
  using C = ComputeType<In>;
  const In* x = ctx.inputs[0].as<In>();
  Out* out = ctx.outputs[0].as<Out>();
  const int64_t count = ctx.outputs[0].elements();
  for (int64_t i = 0; i < count; ++i) out[i] = static_cast<Out>(f(static_cast<C>(x[i])));
}

// out[i] = f(x[i], y[i]) over a broadcast result.
template <typename Out, typename X, typename Y, typename F>
void MapBinary(const KernelContext& ctx, F f) {
  using CX = ComputeType<X>;
  using CY = ComputeType<Y>;
  const auto one = [&](X x, Y y) {
    return static_cast<Out>(f(static_cast<CX>(x), static_cast<CY>(y)));
  };
  for (BroadcastRows rows(ctx.outputs[0].shape, ctx.inputs); rows; rows.Next()) {
    const X* x = ctx.inputs[0].as<X>() + rows.start(0);
    const Y* y = ctx.inputs[1].as<Y>() + rows.start(1);
    Out* out = ctx.outputs[0].as<Out>() + rows.start();
    const int64_t size = rows.size();
    if (rows.step(0) == 0) {
      const X repeated = *x;
      for (int64_t i = 0; i < size; ++i) out[i] = one(repeated, y[i * rows.step(1)]);
    } else if (rows.step(1) == 0) {
      const Y repeated = *y;
      for (int64_t i = 0; i < size; ++i) out[i] = one(x[i], repeated);
    } else {
      for (int64_t i = 0; i < size; ++i) out[i] = one(x[i], y[i]);
    }
  }
}

}  // namespace ge
