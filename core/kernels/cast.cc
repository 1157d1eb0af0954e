#include "kernels/cast.h"

#include <algorithm>
#include <limits>
#include <string>

#include "kernels/elementwise.h"
#include "kernels/float8.h"
#include "kernels/half_rows.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// The integer part of `value` as Wide, or the lowest Wide when it does not fit.
template <typename Wide, typename Float>
GE_INLINE inline Wide Truncate(Float value) {
  constexpr Float kLimit = -static_cast<Float>(std::numeric_limits<Wide>::min());
  const bool above = std::is_same_v<Float, double> ? value > -kLimit - 1 : value >= -kLimit;
  const bool fits = above && value < kLimit;
  const Wide whole = static_cast<Wide>(fits ? value : Float{0});
  return fits ? whole : std::numeric_limits<Wide>::min();
}

// The float type that a float is converted from.
template <typename From>
using Exact = std::conditional_t<std::is_same_v<From, double>, double, float>;

template <typename To, typename From>
GE_INLINE inline To Convert(From value) {
  if constexpr (std::is_same_v<From, Bool>) {
    return Convert<To>(std::min(value.byte, uint8_t{1}));
  } else if constexpr (std::is_same_v<To, Bool>) {
    return value != From(0);
  } else if constexpr (std::is_integral_v<From>) {
    // float16 and bfloat16 are made from a float, as in other run times.
    if constexpr (std::is_arithmetic_v<To>) return static_cast<To>(value);
    return static_cast<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, uint64_t>) {
    const double wide = static_cast<double>(value);
    constexpr double kTop = 9223372036854775808.0;  // 2^63
    if (wide >= kTop && wide < 2 * kTop) return static_cast<uint64_t>(wide);
    return static_cast<uint64_t>(Truncate<int64_t>(wide));
  } else if constexpr (std::is_same_v<To, int64_t> || std::is_same_v<To, uint32_t>) {
    return static_cast<To>(Truncate<int64_t>(static_cast<Exact<From>>(value)));
  } else if constexpr (std::is_integral_v<To>) {
    return static_cast<To>(Truncate<int32_t>(static_cast<Exact<From>>(value)));
  } else if constexpr (std::is_arithmetic_v<To>) {
    return static_cast<To>(value);
  } else {
    return static_cast<To>(static_cast<float>(value));
  }
}

template <typename To, typename From>
void ConvertAll(const From* from, To* to, int64_t count) {
  if constexpr (kIsNarrowFloat<From> && std::is_same_v<To, float>) {
    return WidenRow(from, to, count);
  } else if constexpr (std::is_same_v<From, float> && kIsNarrowFloat<To>) {
    return NarrowRow(from, to, count);
  }
  const auto loop = [=]() GE_INLINE {
    for (int64_t i = 0; i < count; ++i) to[i] = Convert<To>(from[i]);
  };
  if constexpr (kComputesInFloat<From> || kComputesInFloat<To>) {
    Vectorised(loop);
  } else {
    loop();
  }
}

NarrowRounding RoundingOf(const AttrReader& attrs) {
  NarrowRounding rounding;
  rounding.saturate = !attrs.Has("saturate") || attrs.Int("saturate") != 0;
  const std::string mode = attrs.Has("round_mode") ? attrs.Str("round_mode") : "up";
  if (mode == "down") rounding.powers = NarrowRounding::kDown;
  if (mode == "nearest") rounding.powers = NarrowRounding::kNearest;
  return rounding;
}

// out[i] = to(x[i]), where `to` gives the bits of one element.
template <typename To>
void PackInto(const HostTensor& out, const To& to) {
  const int bits = RowOf(out.dtype).bits;
  const int64_t count = out.elements(), per_byte = 8 / bits;
  ParallelFor((count + per_byte - 1) / per_byte, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t byte = begin; byte < end; ++byte) {
      unsigned packed = 0;
      for (int64_t k = 0; k < per_byte && byte * per_byte + k < count; ++k) {
        packed |= static_cast<unsigned>(to(byte * per_byte + k)) << (k * bits);
      }
      out.as<uint8_t>()[byte] = static_cast<uint8_t>(packed);
    }
  });
}

// Casts from or to a type without a C++ type.
Status CastNarrow(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &out = ctx.outputs[0];
  const NarrowRounding rounding = RoundingOf(ctx.attrs);
  const int bits = RowOf(x.dtype).bits;
  const auto element = [&](int64_t i) {
    return NarrowToFloat(x.dtype, UnpackNarrow(x.as<uint8_t>(), bits, i));
  };
  if (IsNarrow(x.dtype) && IsNarrow(out.dtype)) {
    PackInto(out, [&](int64_t i) {
      return ToNarrow(out.dtype, static_cast<double>(element(i)), rounding);
    });
    return Status::Ok();
  }
  const bool known =
      IsNarrow(x.dtype)
          ? VisitNumbers(out.dtype,
                         [&]<typename To>(To) {
                           ParallelFor(x.elements(), 4096, [&](int64_t begin, int64_t end) {
                             for (int64_t i = begin; i < end; ++i) {
                               out.as<To>()[i] = Convert<To>(element(i));
                             }
                           });
                         })
          : VisitNumbers(x.dtype, [&]<typename From>(From) {
              PackInto(out, [&](int64_t i) {
                return ToNarrow(out.dtype, static_cast<double>(x.as<From>()[i]), rounding);
              });
            });
  return known ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace

Status Cast(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const HostTensor& out = ctx.outputs[0];
  if (IsNarrow(x.dtype) || IsNarrow(out.dtype)) return CastNarrow(ctx);
  const int64_t count = x.elements();
  bool known = false;
  VisitNumbers(x.dtype, [&]<typename From>(From) {
    known = VisitNumbers(out.dtype, [&]<typename To>(To) {
      const From* from = x.as<From>();
      To* to = out.as<To>();
      ParallelFor(count, kElementGrain, [&](int64_t begin, int64_t end) {
        ConvertAll(from + begin, to + begin, end - begin);
      });
    });
  });
  return known ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
