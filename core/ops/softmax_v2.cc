// SoftmaxV2, LogSoftmaxV2, HardMax, MVNV2: every element of x related to its group, the elements
// that differ only in the given axes; y has the shape and dtype of x.
//
//   SoftmaxV2     exp(x) / sum(exp(x))               axes: several axes form one group
//   LogSoftmaxV2  x - log(sum(exp(x)))               axes
//   HardMax       1 for the first greatest, else 0   axis: one axis
//   MVNV2         (x - mean) / (deviation + eps)     axes
//
// Source: prototypes in tables/ops.json.
#include "kernels/axis_norm.h"
#include "kernels/softmax.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferAxes(InferContext& ctx) {
  const std::vector<int64_t> axes = ctx.Ints("axes");
  if (axes.empty()) return ctx.Fail("attribute axes is empty; at least one axis is needed");
  if (!ctx.shape(0).unknown_rank()) GE_TRY(AxesOf(ctx, axes, ctx.shape(0)).status());
  return SameAsInput(ctx);
}

Status InferAxis(InferContext& ctx) {
  if (!ctx.shape(0).unknown_rank()) {
    GE_TRY(AxisOf(ctx, ctx.Int("axis"), ctx.shape(0)).status());
  }
  return SameAsInput(ctx);
}

constexpr OpImpl kAxisNorms[] = {
    {.type = "HardMax", .infer = InferAxis, .run_host = kernels::HardMax},
    {.type = "LogSoftmaxV2", .infer = InferAxes, .run_host = kernels::LogSoftmaxV2},
    {.type = "MVNV2", .infer = InferAxes, .run_host = kernels::MVNV2},
    {.type = "SoftmaxV2", .infer = InferAxes, .run_host = kernels::SoftmaxV2},
};
GE_OP(kAxisNorms);

}  // namespace
}  // namespace ge
