// Cast: y is x converted to dst_type, a number of the public dtype enumeration.
//
//   x any shape    y: shape of x, dtype dst_type
//
// Source: prototype Cast in tables/ops.json.  ONNX Cast and CastLike map here.  saturate and
// round_mode, which matter for float8 results only, are ONNX's attributes, which the prototype
// lacks.
#include "kernels/cast.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  ctx.SetOutput(0, static_cast<DataType>(ctx.Int("dst_type")), ctx.shape(0));
  return Status::Ok();
}

constexpr OpImpl kCast = PointwiseOp("Cast", InferShape, kernels::Cast, DtypeSet::kNarrow);
GE_OP(kCast);

}  // namespace
}  // namespace ge
