// LpNormV2: y = (sum of |x|^p over `axes`)^(1/p); without axes over all of them.
//
//   x any shape    y: x with dims of 1 (keepdim) or without the axes
//
// Source: prototype LpNormV2 in tables/ops.json.
#include <numeric>

#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferLpNorm(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  std::vector<int64_t> axes = ctx.Ints("axes");
  if (axes.empty() && !x.unknown_rank()) {
    axes.resize(x.rank());
    std::iota(axes.begin(), axes.end(), int64_t{0});
  }
  GE_ASSIGN(Shape y, Reduced(ctx, x, axes, ctx.Bool("keepdim")));
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kLpNormV2 = {.type = "LpNormV2", .infer = InferLpNorm};
GE_OP(kLpNormV2);

}  // namespace
}  // namespace ge
