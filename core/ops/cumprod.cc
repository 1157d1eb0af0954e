// Cumprod: running product along one axis; y has the shape and dtype of x.
//
//   axis: one integer in [-rank, rank)
//   exclusive: the element itself is left out    reverse: from the far end
//
// Source: prototype in tables/ops.json.
#include "kernels/cumulative.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_ASSIGN(const std::optional<int64_t> axis, ConstAxis(ctx, 1));
  if (axis && !ctx.shape(0).unknown_rank()) {
    GE_TRY(AxisOf(ctx, *axis, ctx.shape(0)).status());
  }
  return SameAsInput(ctx);
}

constexpr OpImpl kCumprod = {.type = "Cumprod", .infer = InferShape, .run_host = kernels::Cumprod};
GE_OP(kCumprod);

}  // namespace
}  // namespace ge
