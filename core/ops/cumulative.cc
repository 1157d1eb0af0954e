// Cumsum, Cumprod: y[i] is the sum (product) of x[0] to x[i] along `axis`.
//
//   x [d0, d1, ...]    axis: one element    y as x
//
// exclusive: without x[i]; reverse: from the other end.  Integers wrap.
// Source: prototypes in tables/ops.json.  ONNX CumSum and CumProd map here.
#include "kernels/cumulative.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  GE_ASSIGN(const std::optional<int64_t> axis, ConstAxis(ctx, 1));
  if (axis && !ctx.shape(0).unknown_rank()) {
    GE_ASSIGN([[maybe_unused]] const size_t index, AxisOf(ctx, *axis, ctx.shape(0)));
  }
  return SameAsInput(ctx);
}

constexpr OpImpl kCumsum = {.type = "Cumsum", .infer = InferShape, .run_host = kernels::Cumsum};
constexpr OpImpl kCumprod = {.type = "Cumprod", .infer = InferShape, .run_host = kernels::Cumprod};
GE_OP(kCumsum);
GE_OP(kCumprod);

}  // namespace
}  // namespace ge
