#include "kernels/cast.h"

#include <limits>

#include "kernels/dispatch.h"

namespace ge::kernels {
namespace {

// The integer part of `value` as Wide, or the lowest Wide when it does not fit.
template <typename Wide>
Wide Truncate(double value) {
  constexpr double kLimit = -static_cast<double>(std::numeric_limits<Wide>::min());
  if (!(value > -kLimit - 1 && value < kLimit)) return std::numeric_limits<Wide>::min();
  return static_cast<Wide>(value);
}

template <typename To, typename From>
To Convert(From value) {
  if constexpr (std::is_same_v<To, bool>) {
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
    return static_cast<To>(Truncate<int64_t>(static_cast<double>(value)));
  } else if constexpr (std::is_integral_v<To>) {
    return static_cast<To>(Truncate<int32_t>(static_cast<double>(value)));
  } else if constexpr (std::is_arithmetic_v<To>) {
    return static_cast<To>(value);
  } else {
    return static_cast<To>(static_cast<float>(value));
  }
}

}  // namespace

Status Cast(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const HostTensor& out = ctx.outputs[0];
  const int64_t count = x.elements();
  bool known = false;
  VisitNumbers(x.dtype, [&]<typename From>(From) {
    known = VisitNumbers(out.dtype, [&]<typename To>(To) {
      const From* from = x.as<From>();
      To* to = out.as<To>();
      for (int64_t i = 0; i < count; ++i) to[i] = Convert<To>(from[i]);
    });
  });
  return known ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
