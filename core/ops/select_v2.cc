// SelectV2: result = condition ? then : else, element by element.
//
//   condition bool    then, else: same dtype    result: the three shapes broadcast together
//
// Source: prototype SelectV2 in tables/ops.json.  ONNX Where maps here.
#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  if (ctx.dtype(0) != DataType::kBool) {
    return ctx.Fail("condition has dtype " + std::string(UserName(ctx.dtype(0))) +
                    "; bool is accepted");
  }
  GE_TRY(SameDtypes(ctx, 1));
  return BroadcastInputs(ctx, ctx.dtype(1));
}

constexpr OpImpl kSelectV2 = PointwiseOp("SelectV2", InferShape, kernels::Select, DtypeSet::kBytes);
GE_OP(kSelectV2);

}  // namespace
}  // namespace ge
