// PRelu: y = x where x >= 0, weight * x elsewhere.
//
//   x, y any shape    weight: one element; [C], one per channel (axis 1) of x; or a shape of the
//   rank of x that broadcasts to x
//
// Source: prototype PRelu in tables/ops.json; ONNX PRelu, whose slope aligns at the last axis, so
// that its import writes every slope in one of these forms.
#include "kernels/arithmetic.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferPRelu(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  const Shape& x = ctx.shape(0);
  const Shape& weight = ctx.shape(1);
  Shape y = x;
  if (!x.unknown_rank() && !weight.unknown_rank() && weight.elements() != 1) {
    const bool per_channel = weight.rank() == 1 && x.rank() >= 2;
    if (!per_channel && weight.rank() != x.rank()) {
      return ctx.Fail("weight " + weight.ToString() + " does not fit x " + x.ToString());
    }
    for (size_t i = 0; i < weight.rank(); ++i) {
      const size_t axis = per_channel ? 1 : i;
      if (weight[i] == 1 || weight[i] == kUnknownDim) continue;
      const std::optional<int64_t> dim = MergeDims(weight[i], x[axis]);
      if (!dim) {
        return ctx.Fail("weight " + weight.ToString() + " and x " + x.ToString() +
                        " differ in axis " + std::to_string(axis) + " of x");
      }
      y[axis] = *dim;
    }
  }
  ctx.SetOutput(0, ctx.dtype(0), y);
  return Status::Ok();
}

constexpr OpImpl kPRelu = {.type = "PRelu", .infer = InferPRelu, .run_host = kernels::PRelu};
GE_OP(kPRelu);

}  // namespace
}  // namespace ge
