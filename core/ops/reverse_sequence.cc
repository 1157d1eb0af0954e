// ReverseSequence: y is x with the first seq_lengths[b] elements along seq_dim reversed, for every
// index b on batch_dim.
//
//   x [d0, d1, ...]    seq_lengths [dim of x on batch_dim]    y as x
//
// Source: prototype ReverseSequence in tables/ops.json.  ONNX ReverseSequence maps here.
#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const Shape& x = ctx.shape(0);
  const Shape& lengths = ctx.shape(1);
  if (!x.unknown_rank()) {
    GE_ASSIGN(const size_t time, AxisOf(ctx, ctx.Int("seq_dim"), x));
    GE_ASSIGN(const size_t batch, AxisOf(ctx, ctx.Int("batch_dim"), x));
    if (time == batch) return ctx.Fail("seq_dim and batch_dim are the same axis");
    if (!MergeShapes(lengths, Shape{x[batch]})) {
      return ctx.Fail("seq_lengths " + lengths.ToString() + " does not fit axis " +
                      std::to_string(batch) + " of x " + x.ToString());
    }
  }
  return SameAsInput(ctx);
}

constexpr OpImpl kReverseSequence = {.type = "ReverseSequence",
                                     .infer = InferShape,
                                     .run_host = kernels::ReverseSequence,
                                     .dtypes = DtypeSet::kBytes};
GE_OP(kReverseSequence);

}  // namespace
}  // namespace ge
