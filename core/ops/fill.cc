// Fill: y has the shape that `dims` spells out, every element is `value`.
//
//   dims [rank of y], int32 or int64    value: one element    y dtype of value
//
// Source: prototype Fill in tables/ops.json.  ONNX ConstantOfShape maps here.
#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& value = ctx.shape(1);
  if (value.is_static() && value.elements() != 1) {
    return ctx.Fail("value has shape " + value.ToString() + "; one element is accepted");
  }
  GE_ASSIGN(Shape y, ShapeFromList(ctx, 0));
  ctx.SetOutput(0, ctx.dtype(1), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kFill = {
    .type = "Fill", .infer = InferShape, .run_host = kernels::Fill, .dtypes = DtypeSet::kBytes};
GE_OP(kFill);

}  // namespace
}  // namespace ge
