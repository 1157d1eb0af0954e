// AccumulateNV2: y = x0 + x1 + ... + x(N-1), N >= 1 tensors of one shape and dtype.
//
// Operands do not broadcast.  Unknown dims are filled in from the other operands.
// Source: prototype AccumulateNV2 in tables/ops.json.
#include "kernels/arithmetic.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  if (ctx.input_count() == 0) return ctx.Fail("there are no operands; at least one is needed");
  GE_TRY(SameDtypes(ctx));
  Shape shape = ctx.shape(0);
  for (size_t i = 1; i < ctx.input_count(); ++i) {
    std::optional<Shape> merged = MergeShapes(shape, ctx.shape(i));
    if (!merged) {
      return ctx.Fail("operands have shapes " + shape.ToString() + " and " +
                      ctx.shape(i).ToString() + "; they must be equal");
    }
    shape = std::move(*merged);
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(shape));
  return Status::Ok();
}

constexpr OpImpl kAccumulateNV2 = PointwiseOp("AccumulateNV2", InferShape, kernels::AddN);
GE_OP(kAccumulateNV2);

}  // namespace
}  // namespace ge
