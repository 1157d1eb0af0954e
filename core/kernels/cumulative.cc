#include "kernels/cumulative.h"

#include <type_traits>

#include "kernels/elementwise.h"
#include "kernels/reduce_walk.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

template <typename Step>
Status Accumulate(KernelContext& ctx, int start, Step step) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<std::vector<int64_t>> axis = ToInts(ctx.inputs[1]);
  if (!axis) return ctx.NotBuilt();
  const AxisSplit split = SplitAt(x.shape, *NormalizeAxis(axis->front(), x.shape.rank()));
  const bool exclusive = ctx.attrs.Bool("exclusive"), reverse = ctx.attrs.Bool("reverse");
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    // Unsigned for integers, so that they wrap.
    using C = std::conditional_t<kIsIntegral<T>, uint64_t, ComputeType<T>>;
    for (int64_t row = 0; row < split.outer * split.inner; ++row) {
      const int64_t first = row / split.inner * split.size * split.inner + row % split.inner;
      C total = static_cast<C>(start);
      for (int64_t i = 0; i < split.size; ++i) {
        const int64_t at = first + (reverse ? split.size - 1 - i : i) * split.inner;
        const C next = step(total, static_cast<C>(x.as<T>()[at]));
        ctx.outputs[0].as<T>()[at] = static_cast<T>(exclusive ? total : next);
        total = next;
      }
    }
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace

Status Cumsum(KernelContext& ctx) {
  return Accumulate(ctx, 0, [](auto total, auto x) { return total + x; });
}

Status Cumprod(KernelContext& ctx) {
  return Accumulate(ctx, 1, [](auto total, auto x) { return total * x; });
}

}  // namespace ge::kernels
