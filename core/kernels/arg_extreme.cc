#include "kernels/arg_extreme.h"

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
  bool built = false;
  VisitNumbers(x.dtype, [&]<typename T>(T) {
    using C = ComputeType<T>;
    built = VisitIntegers(ctx.outputs[0].dtype, [&]<typename I>(I) {
      I* out = ctx.outputs[0].as<I>();
      for (int64_t row = 0; row < split.outer * split.inner; ++row) {
        const T* in = x.as<T>() + row / split.inner * split.size * split.inner + row % split.inner;
        int64_t best = 0;
        for (int64_t i = 1; i < split.size; ++i) {
          const C value = static_cast<C>(in[i * split.inner]);
          const C held = static_cast<C>(in[best * split.inner]);
          if (better(value, held) || (last && value == held)) best = i;
        }
        out[row] = static_cast<I>(best);
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
