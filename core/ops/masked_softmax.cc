// MaskedSoftmaxWithRelPosBias: y = softmax(scale_value * x + atten_mask + relative_pos_bias) over
// the last axis; the attention of windows.
//
//   x, y [B * W, N, S1, S2] or [B, W, N, S1, S2]: windows W of a batch B, heads N
//   atten_mask [W, S1, S2], [W, 1, S1, S2] or [1, W, 1, S1, S2], optional
//   relative_pos_bias [N, S1, S2], and dims of 1 before
//
// Source: prototype MaskedSoftmaxWithRelPosBias in tables/ops.json.
#include "kernels/softmax.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

// Fails unless input `i` has the elements of [outer, S1, S2], where `outer` is one of its dims and
// the others before S1 are 1.
Status CheckRows(const InferContext& ctx, size_t i, int64_t outer, std::string_view name) {
  const Shape& x = ctx.shape(0);
  const Shape& shape = ctx.shape(i);
  if (shape.is_static() && shape.rank() >= 3 && shape.rank() <= 5) {
    const size_t rank = shape.rank();
    int64_t before = 1;
    for (size_t axis = 0; axis + 2 < rank; ++axis) {
      if (shape[axis] != 1) before = before == 1 ? shape[axis] : kUnknownDim;
    }
    const bool has_rows = shape[rank - 2] == x[x.rank() - 2] && shape[rank - 1] == x[x.rank() - 1];
    const bool fits = i == 2 ? before == outer : before > 0 && outer % before == 0;
    if (has_rows && fits) return Status::Ok();
  }
  return ctx.Fail(std::string(name) + " has shape " + shape.ToString() + ", which does not fit x " +
                  x.ToString());
}

Status InferMaskedSoftmax(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  const Shape& x = ctx.shape(0);
  if (!x.is_static() || (x.rank() != 4 && x.rank() != 5)) {
    return ctx.Fail("x has shape " + x.ToString() + "; four or five known dims are accepted");
  }
  const int64_t windows = x.rank() == 5 ? x[1] : x[0];
  if (ctx.has_input(1)) GE_TRY(CheckRows(ctx, 1, windows, "atten_mask"));
  GE_TRY(CheckRows(ctx, 2, x[x.rank() - 3], "relative_pos_bias"));
  return SameAsInput(ctx);
}

constexpr OpImpl kMaskedSoftmax = {.type = "MaskedSoftmaxWithRelPosBias",
                                   .infer = InferMaskedSoftmax,
                                   .run_host = kernels::MaskedSoftmaxWithRelPosBias};
GE_OP(kMaskedSoftmax);

}  // namespace
}  // namespace ge
