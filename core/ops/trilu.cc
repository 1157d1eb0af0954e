// Trilu: y is x with zeros below (upper: 1) or above (upper: 0) the k-th diagonal of each matrix.
//
//   x [..., rows, columns]    k: one element, optional (0); may be negative    y as x
//
// Source: prototype Trilu in tables/ops.json.  ONNX Trilu maps here.
#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  if (!x.unknown_rank() && x.rank() < 2) {
    return ctx.Fail("x " + x.ToString() + " is no matrix: rank 2 or more is accepted");
  }
  if (ctx.has_input(1)) {
    GE_TRY(NeedsIndices(ctx, 1));
    GE_ASSIGN([[maybe_unused]] const std::optional<int64_t> k, ConstAxis(ctx, 1));
  }
  return SameAsInput(ctx);
}

constexpr OpImpl kTrilu = {
    .type = "Trilu", .infer = InferShape, .run_host = kernels::Trilu, .dtypes = DtypeSet::kBytes};
GE_OP(kTrilu);

}  // namespace
}  // namespace ge
