#include "kernels/compare.h"

#include <functional>
#include <type_traits>

#include "kernels/elementwise.h"

namespace ge::kernels {
namespace {

template <typename F>
Status Compare(KernelContext& ctx, const F& f, bool swapped = false) {
  const HostTensor inputs[] = {ctx.inputs[swapped ? 1 : 0], ctx.inputs[swapped ? 0 : 1]};
  const KernelContext ordered{inputs, ctx.outputs, ctx.attrs};
  const bool built =
      VisitNumbers(inputs[0].dtype, [&]<typename T>(T) { MapBinary<bool, T, T>(ordered, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}

// f without branches, on 0 and 1; a number that is not 0 counts as true.
template <typename F>
Status Logical(KernelContext& ctx, F f) {
  const auto map = [&]<typename T>(T) {
    MapBinary<bool, T, T>(ctx, [f](auto x, auto y) GE_INLINE {
      return f(static_cast<int>(x != 0), static_cast<int>(y != 0)) != 0;
    });
  };
  if (ctx.inputs[0].dtype == DataType::kBool) {
    map(uint8_t());
    return Status::Ok();
  }
  return VisitNumbers(ctx.inputs[0].dtype, map) ? Status::Ok() : ctx.NotBuilt();
}

template <typename F>
Status Bits(KernelContext& ctx, F f) {
  if (!IsInteger(ctx.inputs[0].dtype)) return ctx.NotBuilt();
  const bool built =
      VisitIntegers(ctx.inputs[0].dtype, [&]<typename T>(T) { MapBinary<T, T, T>(ctx, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}

template <typename T>
bool InWidth(T count) {
  return count >= T{0} && static_cast<uint64_t>(count) < sizeof(T) * 8;
}

}  // namespace

Status Equal(KernelContext& ctx) {
  return Compare(ctx, std::equal_to<>());
}
Status NotEqual(KernelContext& ctx) {
  return Compare(ctx, std::not_equal_to<>());
}
Status Greater(KernelContext& ctx) {
  return Compare(ctx, std::less<>(), true);
}
Status GreaterEqual(KernelContext& ctx) {
  return Compare(ctx, std::less_equal<>(), true);
}
Status Less(KernelContext& ctx) {
  return Compare(ctx, std::less<>());
}
Status LessEqual(KernelContext& ctx) {
  return Compare(ctx, std::less_equal<>());
}

Status LogicalAnd(KernelContext& ctx) {
  return Logical(ctx, std::bit_and<int>());
}
Status LogicalOr(KernelContext& ctx) {
  return Logical(ctx, std::bit_or<int>());
}

Status BitwiseAnd(KernelContext& ctx) {
  return Bits(ctx, std::bit_and<>());
}
Status BitwiseOr(KernelContext& ctx) {
  return Bits(ctx, std::bit_or<>());
}
Status BitwiseXor(KernelContext& ctx) {
  return Bits(ctx, std::bit_xor<>());
}

Status LeftShift(KernelContext& ctx) {
  return Bits(ctx, []<typename T>(T x, T count) {
    return InWidth(count) ? static_cast<T>(static_cast<uint64_t>(x) << count) : T{0};
  });
}

Status RightShift(KernelContext& ctx) {
  return Bits(ctx, []<typename T>(T x, T count) {
    if (InWidth(count)) return static_cast<T>(x >> count);
    if constexpr (std::is_signed_v<T>)
      return x < T{0} ? T{-1} : T{0};
    else
      return T{0};
  });
}

}  // namespace ge::kernels
