#include "kernels/unary.h"

#include <cmath>
#include <type_traits>

#include "kernels/elementwise.h"
#include "kernels/vector_math.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

template <typename F>
Status FloatsToBool(KernelContext& ctx, F f) {
  const bool built =
      VisitFloats(ctx.inputs[0].dtype, [&]<typename T>(T) { MapUnary<bool, T>(ctx, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}

// 0 - x in unsigned arithmetic, so that the most negative number is no special case.
template <typename T>
GE_INLINE inline T Negated(T x) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(uint64_t{0} - static_cast<uint64_t>(x));
  } else {
    return -x;
  }
}

}  // namespace

Status Neg(KernelContext& ctx) {
  return MapNumberTypes(ctx, [](auto x) GE_INLINE { return Negated(x); });
}

Status Abs(KernelContext& ctx) {
  return MapNumberTypes(ctx, []<typename T>(T x) GE_INLINE {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(x);
    else if constexpr (std::is_signed_v<T>)
      return x < T{0} ? Negated(x) : x;
    else
      return x;
  });
}

Status Sign(KernelContext& ctx) {
  return MapNumberTypes(ctx, []<typename T>(T x) GE_INLINE {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(x)) return x;
    }
    return static_cast<T>((x > T{0} ? 1 : 0) - (x < T{0} ? 1 : 0));
  });
}

Status Round(KernelContext& ctx) {
  if (ctx.attrs.Int("decimals") != 0) return ctx.NotBuilt();
  return MapNumberTypes(ctx, []<typename T>(T x) GE_INLINE {
    if constexpr (std::is_floating_point_v<T>)
      return std::nearbyint(x);
    else
      return x;
  });
}

Status Trunc(KernelContext& ctx) {
  return MapNumberTypes(ctx, []<typename T>(T x) GE_INLINE {
    if constexpr (std::is_floating_point_v<T>)
      return std::trunc(x);
    else
      return x;
  });
}

Status Exp(KernelContext& ctx) {
  const float base = ctx.attrs.Float("base");
  const float scale = ctx.attrs.Float("scale"), shift = ctx.attrs.Float("shift");
  if (base == -1.0f && scale == 1.0f && shift == 0.0f) {
    return MapFloatTypes(ctx, [](auto x) GE_INLINE { return vec::Exp(x); });
  }
  const float log_base = base == -1.0f ? 1.0f : std::log(base);
  return MapFloatTypes(ctx, [=]<typename T>(T x) GE_INLINE {
    return vec::Exp((x * static_cast<T>(scale) + static_cast<T>(shift)) * static_cast<T>(log_base));
  });
}

Status Log(KernelContext& ctx) {
  const float base = ctx.attrs.Float("base");
  const float scale = ctx.attrs.Float("scale"), shift = ctx.attrs.Float("shift");
  const float log_base = base == -1.0f ? 1.0f : std::log(base);
  return MapValues(ctx, [=]<typename T>(T x) GE_INLINE {
    return std::log(x * static_cast<T>(scale) + static_cast<T>(shift)) / static_cast<T>(log_base);
  });
}

Status Reciprocal(KernelContext& ctx) {
  return MapFloatTypes(ctx, []<typename T>(T x) GE_INLINE { return T{1} / x; });
}

Status Rsqrt(KernelContext& ctx) {
  return MapFloatTypes(ctx, []<typename T>(T x) GE_INLINE { return T{1} / std::sqrt(x); });
}

#define GE_UNARY_OF(types, name, function)                           \
  Status name(KernelContext& ctx) {                                  \
    return types(ctx, [](auto x) GE_INLINE { return function(x); }); \
  }
#define GE_UNARY(name, function) GE_UNARY_OF(MapFloatTypes, name, function)
GE_UNARY(Sqrt, std::sqrt)
GE_UNARY(Floor, std::floor)
GE_UNARY(Ceil, std::ceil)
GE_UNARY(Erf, vec::Erf)
GE_UNARY(Erfc, std::erfc)
GE_UNARY(Expm1, std::expm1)
GE_UNARY(Log1p, std::log1p)
GE_UNARY(Sin, std::sin)
GE_UNARY(Cos, std::cos)
GE_UNARY_OF(MapValues, Tan, std::tan)
GE_UNARY_OF(MapValues, Asin, std::asin)
GE_UNARY_OF(MapValues, Acos, std::acos)
GE_UNARY(Atan, std::atan)
GE_UNARY(Sinh, std::sinh)
GE_UNARY(Cosh, std::cosh)
GE_UNARY(Tanh, vec::Tanh)
GE_UNARY(Asinh, std::asinh)
GE_UNARY(Acosh, std::acosh)
GE_UNARY(Atanh, std::atanh)
#undef GE_UNARY
#undef GE_UNARY_OF

Status IsNan(KernelContext& ctx) {
  return FloatsToBool(ctx, [](auto x) GE_INLINE { return std::isnan(x); });
}

Status IsInf(KernelContext& ctx) {
  return FloatsToBool(ctx, [](auto x) GE_INLINE { return std::isinf(x); });
}

Status LogicalNot(KernelContext& ctx) {
  if (ctx.inputs[0].dtype != DataType::kBool) return ctx.NotBuilt();
  MapUnary<bool, uint8_t>(ctx, [](uint8_t x) GE_INLINE { return x == 0; });
  return Status::Ok();
}

Status Invert(KernelContext& ctx) {
  if (!IsInteger(ctx.inputs[0].dtype)) return ctx.NotBuilt();
  return MapNumberTypes(ctx, []<typename T>(T x) GE_INLINE {
    return static_cast<T>(static_cast<uint64_t>(x) ^ ~uint64_t{0});
  });
}

}  // namespace ge::kernels
