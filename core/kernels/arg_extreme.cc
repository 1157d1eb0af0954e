#include "kernels/arg_extreme.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/reduce_walk.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// better(a, b): whether a later element `a` replaces `b`.
template <typename Better>
Status ArgExtreme(KernelContext& ctx, Better better) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<std::vector<int64_t>> axis = ToInts(ctx.inputs[1]);
  if (!axis) return ctx.NotBuilt();
  const AxisSplit split = SplitAt(x.shape, *NormalizeAxis(axis->front(), x.shape.rank()));
  const bool last = ctx.attrs.Bool("select_last_index");
  const HostTensor& out = ctx.outputs[0];
  const bool wide = out.dtype == DataType::kInt64;
  const int64_t grain = std::max<int64_t>(kElementGrain / std::max<int64_t>(split.size, 1), 1);
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    using C = ComputeType<T>;
    ParallelFor(split.outer * split.inner, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* in = x.as<T>() + row / split.inner * split.size * split.inner + row % split.inner;
        int64_t best = 0;
        C held = static_cast<C>(in[0]);
        for (int64_t i = 1; i < split.size; ++i) {
          const C value = static_cast<C>(in[i * split.inner]);
          if (!better(value, held) && !(last && value == held)) continue;
          best = i;
          held = value;
        }
        if (wide) {
          out.as<int64_t>()[row] = best;
        } else {
          out.as<int32_t>()[row] = static_cast<int32_t>(best);
        }
      }
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace

Status ArgMax(KernelContext& ctx) {
  return ArgExtreme(ctx, [](auto a, auto b) { return a > b; });
}

Status ArgMin(KernelContext& ctx) {
  return ArgExtreme(ctx, [](auto a, auto b) { return a < b; });
}

}  // namespace ge::kernels
