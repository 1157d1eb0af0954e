// Expand: y is x broadcast to `shape`, and to dims of x that are larger.
//
//   x any shape    shape [n], int32 or int64    y: both shapes broadcast together
//
// Source: ONNX Expand; prototype Expand in tables/ops.json.
#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_ASSIGN(const Shape asked, ShapeFromList(ctx, 1));
  GE_ASSIGN(Shape y, Broadcast(ctx, ctx.shape(0), asked));
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kExpand = {
    .type = "Expand", .infer = InferShape, .run_host = kernels::Expand, .dtypes = DtypeSet::kBytes};
GE_OP(kExpand);

}  // namespace
}  // namespace ge
