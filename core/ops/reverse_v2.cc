// ReverseV2: y is x with the order of the elements along some axes turned round.
//
//   x [d0, d1, ...]    axis [n], or one number    y as x
//
// Source: prototype ReverseV2 in tables/ops.json.
#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const Shape &x = ctx.shape(0), &axis = ctx.shape(1);
  if (!axis.unknown_rank() && axis.rank() > 1) {
    return ctx.Fail("axis has shape " + axis.ToString() + "; a list or one number is accepted");
  }
  const std::optional<std::vector<int64_t>> axes = ctx.ConstInts(1);
  if (axes && !x.unknown_rank()) GE_TRY(AxesOf(ctx, *axes, x).status());
  return SameAsInput(ctx);
}

constexpr OpImpl kReverseV2 = {.type = "ReverseV2",
                               .infer = InferShape,
                               .run_host = kernels::Reverse,
                               .dtypes = DtypeSet::kBytes};
GE_OP(kReverseV2);

}  // namespace
}  // namespace ge
