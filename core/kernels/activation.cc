#include "kernels/activation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "kernels/elementwise.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

template <typename F>
Status Floats(KernelContext& ctx, F f) {
  const bool built =
      VisitFloats(ctx.inputs[0].dtype, [&]<typename T>(T) { MapUnary<T, T>(ctx, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}

template <typename F>
Status Numbers(KernelContext& ctx, F f) {
  const bool built =
      VisitNumbers(ctx.inputs[0].dtype, [&]<typename T>(T) { MapUnary<T, T>(ctx, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}

template <typename T>
T LogOfOnePlusExp(T x) {
  return std::max(x, T{0}) + std::log1p(std::exp(-std::fabs(x)));
}

template <typename T>
T SigmoidOf(T x) {
  return T{1} / (T{1} + std::exp(-x));
}

Status GeluByTanh(KernelContext& ctx) {
  return Floats(ctx, []<typename T>(T x) {
    const T slope = std::sqrt(T{2} * std::numbers::inv_pi_v<T>);
    const T inner = slope * (x + static_cast<T>(0.044715) * x * x * x);
    return static_cast<T>(0.5) * x * (T{1} + std::tanh(inner));
  });
}

}  // namespace

Status Relu(KernelContext& ctx) {
  return Numbers(ctx, []<typename T>(T x) { return x < T{0} ? T{0} : x; });
}

Status LeakyRelu(KernelContext& ctx) {
  const float slope = ctx.attrs.Float("negative_slope");
  return Floats(ctx, [&]<typename T>(T x) { return x < T{0} ? x * static_cast<T>(slope) : x; });
}

Status Elu(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha");
  const float scale = ctx.attrs.Float("scale"), input_scale = ctx.attrs.Float("input_scale");
  return Floats(ctx, [&]<typename T>(T x) {
    const T low = static_cast<T>(alpha) * std::expm1(x * static_cast<T>(input_scale));
    return static_cast<T>(scale) * (x < T{0} ? low : x);
  });
}

Status Selu(KernelContext& ctx) {
  return Floats(ctx, []<typename T>(T x) {
    constexpr T kAlpha = static_cast<T>(1.67326319217681884765625);
    constexpr T kScale = static_cast<T>(1.05070102214813232421875);
    return kScale * (x < T{0} ? kAlpha * std::expm1(x) : x);
  });
}

Status CeluV2(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha");
  return Floats(ctx, [&]<typename T>(T x) {
    const T a = static_cast<T>(alpha);
    return std::max(x, T{0}) + std::min(T{0}, a * std::expm1(x / a));
  });
}

Status ThresholdedRelu(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha");
  return Floats(ctx, [&]<typename T>(T x) { return x > static_cast<T>(alpha) ? x : T{0}; });
}

Status Sigmoid(KernelContext& ctx) {
  return Floats(ctx, [](auto x) { return SigmoidOf(x); });
}

Status HardSigmoid(KernelContext& ctx) {
  const float alpha = ctx.attrs.Float("alpha"), beta = ctx.attrs.Float("beta");
  return Floats(ctx, [&]<typename T>(T x) {
    return std::clamp(x * static_cast<T>(alpha) + static_cast<T>(beta), T{0}, T{1});
  });
}

Status HardSwish(KernelContext& ctx) {
  return Floats(ctx, []<typename T>(T x) {
    return x * std::clamp(x / T{6} + static_cast<T>(0.5), T{0}, T{1});
  });
}

Status Softplus(KernelContext& ctx) {
  return Floats(ctx, [](auto x) { return LogOfOnePlusExp(x); });
}

Status Softsign(KernelContext& ctx) {
  return Floats(ctx, []<typename T>(T x) { return x / (T{1} + std::fabs(x)); });
}

Status Gelu(KernelContext& ctx) {
  return GeluByTanh(ctx);
}

Status GeluV2(KernelContext& ctx) {
  if (ctx.attrs.Str("approximate") == "tanh") return GeluByTanh(ctx);
  return Floats(ctx, []<typename T>(T x) {
    return static_cast<T>(0.5) * x * (T{1} + std::erf(x / std::numbers::sqrt2_v<T>));
  });
}

Status Mish(KernelContext& ctx) {
  return Floats(ctx, [](auto x) { return x * std::tanh(LogOfOnePlusExp(x)); });
}

Status Swish(KernelContext& ctx) {
  const float scale = ctx.attrs.Float("scale");
  return Floats(ctx, [&]<typename T>(T x) { return x * SigmoidOf(x * static_cast<T>(scale)); });
}

Status Shrink(KernelContext& ctx) {
  const float lambd = ctx.attrs.Float("lambd"), bias = ctx.attrs.Float("bias");
  return Numbers(ctx, [&]<typename T>(T x) {
    using C = std::conditional_t<std::is_same_v<T, float>, float, double>;
    const C wide = static_cast<C>(x);
    if (wide < -static_cast<C>(lambd)) return TruncatedTo<T>(wide + static_cast<C>(bias));
    if (wide > static_cast<C>(lambd)) return TruncatedTo<T>(wide - static_cast<C>(bias));
    return T{0};
  });
}

}  // namespace ge::kernels
