// GlobalAveragePool, GlobalLpPool: mean, or p-norm, over all spatial axes.
//
//   x [N, C, spatial]    y [N, C, 1, ...]
//
// Source: prototypes in tables/ops.json; ONNX operators of the same names.
#include "kernels/pool.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferGlobalPool(InferContext& ctx) {
  Shape y = ctx.shape(0);
  if (!y.unknown_rank()) {
    if (y.rank() < 3) {
      return ctx.Fail("x has shape " + y.ToString() + "; 3 or more dims are accepted");
    }
    for (size_t axis = 2; axis < y.rank(); ++axis) y[axis] = 1;
  }
  ctx.SetOutput(0, ctx.dtype(0), y);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "GlobalAveragePool", .infer = InferGlobalPool, .run_host = kernels::GlobalAveragePool},
    {.type = "GlobalLpPool", .infer = InferGlobalPool, .run_host = kernels::GlobalLpPool},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
