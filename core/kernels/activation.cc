#include "kernels/activation.h"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "kernels/elementwise.h"
#include "kernels/vector_math.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// `x` held between 0 and 1; NaN stays.
template <typename T>
GE_INLINE inline T UpToOne(T x) {
  const T raised = x < T{0} ? T{0} : x;
  return raised > T{1} ? T{1} : raised;
}

// x / 2 * (1 + tanh(u)) is x * sigmoid(2 u), which keeps its digits where tanh is close to -1.
Status GeluByTanh(KernelContext& ctx) {
  return MapFloatTypes(ctx, []<typename T>(T x) GE_INLINE {
    const T slope = T{2} * std::sqrt(T{2} * std::numbers::inv_pi_v<T>);
    return x * vec::Sigmoid(slope * (x + static_cast<T>(0.044715) * x * x * x));
  });
}

}  // namespace

Status Relu(KernelContext& ctx) {
  return MapNumberTypes(ctx, []<typename T>(T x) GE_INLINE { return x < T{0} ? T{0} : x; });
}

Status LeakyRelu(KernelContext& ctx) {
  const float slope = ctx.attrs.Float("negative_slope");
  return MapFloatTypes(
      ctx, [=]<typename T>(T x) GE_INLINE { return x < T{0} ? x * static_cast<T>(slope) : x; });
}

Status Elu(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha");
  const float scale = ctx.attrs.Float("scale"), input_scale = ctx.attrs.Float("input_scale");
  return MapFloatTypes(ctx, [=]<typename T>(T x) GE_INLINE {
    const T low = static_cast<T>(alpha) * vec::Expm1(x * static_cast<T>(input_scale));
    return static_cast<T>(scale) * (x < T{0} ? low : x);
  });
}

Status Selu(KernelContext& ctx) {
  return MapValues(ctx, []<typename T>(T x) GE_INLINE {
    constexpr T kAlpha = static_cast<T>(1.67326319217681884765625);
    constexpr T kScale = static_cast<T>(1.05070102214813232421875);
    return kScale * (x < T{0} ? kAlpha * vec::Expm1(x) : x);
  });
}

Status CeluV2(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha");
  return MapFloatTypes(ctx, [=]<typename T>(T x) GE_INLINE {
    const T a = static_cast<T>(alpha);
    const T low = a * vec::Expm1(x / a);
    return (x > T{0} ? x : T{0}) + (low > T{0} ? T{0} : low);
  });
}

Status ThresholdedRelu(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha");
  return MapFloatTypes(
      ctx, [=]<typename T>(T x) GE_INLINE { return x > static_cast<T>(alpha) ? x : T{0}; });
}

Status Sigmoid(KernelContext& ctx) {
  return MapFloatTypes(ctx, [](auto x) GE_INLINE { return vec::Sigmoid(x); });
}

Status HardSigmoid(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha"), beta = ctx.attrs.Float("beta");
  return MapValues(ctx, [=]<typename T>(T x) GE_INLINE {
    return UpToOne(x * static_cast<T>(alpha) + static_cast<T>(beta));
  });
}

Status HardSwish(KernelContext& ctx) {
  // The sum is exact near -3, where x / 6 + 0.5 would lose nearly all bits.
  return MapFloatTypes(ctx,
                       []<typename T>(T x) GE_INLINE { return x * UpToOne((x + T{3}) / T{6}); });
}

Status Softplus(KernelContext& ctx) {
  return MapFloatTypes(ctx, [](auto x) GE_INLINE { return vec::Softplus(x); });
}

Status Softsign(KernelContext& ctx) {
  return MapFloatTypes(ctx, []<typename T>(T x) GE_INLINE { return x / (T{1} + std::fabs(x)); });
}

Status Gelu(KernelContext& ctx) {
  return GeluByTanh(ctx);
}

Status GeluV2(KernelContext& ctx) {
  if (ctx.attrs.Str("approximate") == "tanh") return GeluByTanh(ctx);
  return MapFloatTypes(ctx, []<typename T>(T x) GE_INLINE {
    return static_cast<T>(0.5) * x * (T{1} + vec::Erf(x * (std::numbers::sqrt2_v<T> / T{2})));
  });
}

Status Mish(KernelContext& ctx) {
  return MapFloatTypes(ctx, [](auto x) GE_INLINE { return vec::Mish(x); });
}

Status Swish(KernelContext& ctx) {
  const float scale = ctx.attrs.Float("scale");
  return MapFloatTypes(
      ctx, [=]<typename T>(T x) GE_INLINE { return x * vec::Sigmoid(x * static_cast<T>(scale)); });
}

Status Shrink(KernelContext& ctx) {
  const float lambd = ctx.attrs.Float("lambd"), bias = ctx.attrs.Float("bias");
  return MapNumberTypes(ctx, [=]<typename T>(T x) GE_INLINE {
    using C = std::conditional_t<std::is_same_v<T, float>, float, double>;
    const C wide = static_cast<C>(x);
    if (wide < -static_cast<C>(lambd)) return TruncatedTo<T>(wide + static_cast<C>(bias));
    if (wide > static_cast<C>(lambd)) return TruncatedTo<T>(wide - static_cast<C>(bias));
    return T{0};
  });
}

}  // namespace ge::kernels
