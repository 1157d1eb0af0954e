// OneHot: y is off_value everywhere but at the index that x names on the new axis: on_value.
//
//   x [d0, d1, ...]    depth, on_value, off_value: one element each    y: depth put in at `axis`
//
// An index out of range makes no element hot.  negative_index_support (of our own): indices from
// -depth to -1 count from the end, as in ONNX.
// Source: ONNX OneHot; prototype OneHot in tables/ops.json.
#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  if (ctx.dtype(2) != ctx.dtype(3)) return ctx.Fail("on_value and off_value differ in dtype");
  for (const size_t i : {2, 3}) {
    if (ctx.shape(i).is_static() && ctx.shape(i).elements() != 1) {
      return ctx.Fail("input " + std::to_string(i) + " has shape " + ctx.shape(i).ToString() +
                      "; one element is accepted");
    }
  }
  const Shape& x = ctx.shape(0);
  GE_ASSIGN(const std::optional<int64_t> depth, ConstAxis(ctx, 1));
  if (depth && *depth < 0) {
    return ctx.Fail("depth is " + std::to_string(*depth) + ", which is negative");
  }
  if (x.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(2), Shape::UnknownRank());
    return Status::Ok();
  }
  const Shape result = Shape::UnknownDims(x.rank() + 1);
  GE_ASSIGN(const size_t axis, AxisOf(ctx, ctx.Int("axis"), result));
  std::vector<int64_t> dims = x.ToVector();
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(axis), depth.value_or(kUnknownDim));
  ctx.SetOutput(0, ctx.dtype(2), Shape(std::move(dims)));
  return Status::Ok();
}

constexpr OpImpl kOneHot = {
    .type = "OneHot", .infer = InferShape, .run_host = kernels::OneHot, .dtypes = DtypeSet::kBytes};
GE_OP(kOneHot);

}  // namespace
}  // namespace ge
