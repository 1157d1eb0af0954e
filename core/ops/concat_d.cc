// ConcatD: y is the inputs, one behind the other along concat_dim.
//
//   x0, x1, ... same rank, equal but for concat_dim    y: the sum of their dims on concat_dim
//
// An unknown dim of one input is known from the others.  With the extra attribute skip_empty an
// input that is a list of length 0 (concat_dim has size 0) may have any other dims, and any rank if
// it has no elements: what a loop grows begins as one.
// Source: prototype ConcatD in tables/ops.json.  ONNX Concat maps here.
#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

std::string Operand(const InferContext& ctx, size_t i) {
  return "operand " + std::to_string(i) + " " + ctx.shape(i).ToString() + " (from node [" +
         ctx.node().input(i).node->source_name() + "])";
}

Status Mismatch(const InferContext& ctx, size_t first, size_t second, size_t concat_axis) {
  const Shape& a = ctx.shape(first);
  const Shape& b = ctx.shape(second);
  const std::string both = Operand(ctx, first) + " and " + Operand(ctx, second);
  if (a.rank() != b.rank()) return ctx.Fail(both + " differ in rank");
  std::vector<size_t> axes;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    if (axis != concat_axis && !SameOrUnknown(a[axis], b[axis])) axes.push_back(axis);
  }
  std::string list;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (i != 0) list += i + 1 == axes.size() ? " and " : ", ";
    list += std::to_string(axes[i]);
  }
  return ctx.Fail(both + " differ in " + (axes.size() == 1 ? "axis " : "axes ") + list +
                  "; only axis " + std::to_string(concat_axis) +
                  ", along which they are joined, may differ");
}

// Whether input i says nothing about the result.
bool IsSkipped(const InferContext& ctx, size_t i) {
  const Shape& shape = ctx.shape(i);
  if (shape.unknown_rank()) return true;
  if (!ctx.Has("skip_empty") || shape.elements() != 0 || ctx.input_count() == 1) return false;
  const std::optional<size_t> axis = NormalizeAxis(ctx.Int("concat_dim"), shape.rank());
  return !axis || shape[*axis] == 0;
}

Status InferShape(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  size_t ranked = 0;  // the first input that counts
  while (ranked < ctx.input_count() && IsSkipped(ctx, ranked)) ++ranked;
  if (ranked == ctx.input_count()) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownRank());
    return Status::Ok();
  }
  GE_ASSIGN(const size_t axis, AxisOf(ctx, ctx.Int("concat_dim"), ctx.shape(ranked)));
  Shape y = ctx.shape(ranked);
  std::vector<size_t> known_from(y.rank(), ranked);  // the input that gave each dim of y
  std::optional<int64_t> sum = 0;
  for (size_t i = 0; i < ctx.input_count(); ++i) {
    const Shape& x = ctx.shape(i);
    if (!x.unknown_rank() && IsSkipped(ctx, i)) continue;
    sum = AddDims(*sum, x.unknown_rank() ? kUnknownDim : x.has_rank(y.rank()) ? x[axis] : 0);
    if (!sum)
      return ctx.Fail("the operands together are too large along axis " + std::to_string(axis));
    if (x.unknown_rank()) continue;
    if (x.rank() != y.rank()) return Mismatch(ctx, ranked, i, axis);
    for (size_t k = 0; k < y.rank(); ++k) {
      if (k == axis) continue;
      if (!SameOrUnknown(y[k], x[k])) return Mismatch(ctx, known_from[k], i, axis);
      if (y[k] == kUnknownDim && x[k] != kUnknownDim) {
        y[k] = x[k];
        known_from[k] = i;
      }
    }
  }
  y[axis] = *sum;
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kConcatD = {.type = "ConcatD",
                             .infer = InferShape,
                             .run_host = kernels::ConcatD,
                             .dtypes = DtypeSet::kBytes};
GE_OP(kConcatD);

}  // namespace
}  // namespace ge
