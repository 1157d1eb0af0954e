// Reductions: elements that differ only in the given axes become one.
//
//   x [d0, d1, d2, ...]    axes: integers in [-rank, rank), input 1 or an attribute
//   y: x without those axes, or with 1 in their place if keep_dims is set
//
// No axes means all axes, or none at all if noop_with_empty_axes is set.  If the axes are not
// known at compile time, only the rank of y is known, and that only with keep_dims.
// ReduceAll and ReduceAny take bool.  SquareSumV1 and LpNormV2 also take the integers that ONNX
// allows and their prototypes do not list.  Floats accumulate in float64, integers wrap.
// Source: prototypes of the same names in tables/ops.json; that no axes means all for the
// operators without noop_with_empty_axes follows from their use for ONNX.
#include "kernels/reduce.h"

#include <numeric>
#include <string>

#include "ops/infer_rules.h"

namespace ge {
namespace {

Status SetReduced(InferContext& ctx, std::optional<std::vector<int64_t>> axes, bool noop_if_empty,
                  bool keep_dims) {
  const Shape& x = ctx.shape(0);
  if (axes && axes->empty()) {
    if (noop_if_empty) return SameAsInput(ctx);
    if (x.unknown_rank() && !keep_dims) {
      ctx.SetOutput(0, ctx.dtype(0), Shape());
      return Status::Ok();
    }
    axes->resize(x.rank());
    std::iota(axes->begin(), axes->end(), 0);
  }
  GE_ASSIGN(Shape reduced, Reduced(ctx, x, axes, keep_dims));
  ctx.SetOutput(0, ctx.dtype(0), std::move(reduced));
  return Status::Ok();
}

Status InferAxesInput(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  if (!ctx.shape(1).unknown_rank() && ctx.shape(1).rank() > 1) {
    return ctx.Fail("the axes have shape " + ctx.shape(1).ToString() + "; a list is accepted");
  }
  return SetReduced(ctx, ctx.ConstInts(1), ctx.Bool("noop_with_empty_axes"), ctx.Bool("keep_dims"));
}

constexpr OpImpl kReductions[] = {
    {.type = "ReduceAll", .infer = InferAxesInput, .run_host = kernels::ReduceAll},
    {.type = "ReduceAny", .infer = InferAxesInput, .run_host = kernels::ReduceAny},
    {.type = "ReduceLogSum", .infer = InferAxesInput, .run_host = kernels::ReduceLogSum},
    {.type = "ReduceLogSumExp", .infer = InferAxesInput, .run_host = kernels::ReduceLogSumExp},
    {.type = "ReduceMax", .infer = InferAxesInput, .run_host = kernels::ReduceMax},
    {.type = "ReduceMean", .infer = InferAxesInput, .run_host = kernels::ReduceMean},
    {.type = "ReduceMin", .infer = InferAxesInput, .run_host = kernels::ReduceMin},
    {.type = "ReduceProd", .infer = InferAxesInput, .run_host = kernels::ReduceProd},
    {.type = "ReduceSum", .infer = InferAxesInput, .run_host = kernels::ReduceSum},
};
GE_OP(kReductions);

Status InferSquareSum(InferContext& ctx) {
  return SetReduced(ctx, ctx.Ints("axis"), ctx.Bool("noop_with_empty_axes"), ctx.Bool("keep_dims"));
}

// SquareSumV1: sum of squares.
constexpr OpImpl kSquareSumV1 = {
    .type = "SquareSumV1", .infer = InferSquareSum, .run_host = kernels::SquareSumV1};
GE_OP(kSquareSumV1);

Status InferLpNorm(InferContext& ctx) {
  if (ctx.Float("p") != 1.0f && ctx.Float("p") != 2.0f) {
    return ctx.Fail("attribute p is " + std::to_string(ctx.Float("p")) + "; 1 and 2 are accepted");
  }
  return SetReduced(ctx, ctx.Ints("axes"), false, ctx.Bool("keepdim"));
}

// LpNormV2: sum of |x| (p = 1) or square root of the sum of squares (p = 2).
constexpr OpImpl kLpNormV2 = {
    .type = "LpNormV2", .infer = InferLpNorm, .run_host = kernels::LpNormV2};
GE_OP(kLpNormV2);

}  // namespace
}  // namespace ge
