// StridedSliceV2: y is the part of x from begin to end, in steps of strides, on each axis named.
//
//   x [d0, d1, ...]    begin, end [n]    axes [n], optional: 0, 1, ...    strides [n], optional: 1
//   y: rank of x; a dim is ceil((end - begin) / stride) after clamping, at least 0
//
// Bounds may be negative (from the end) or lie beyond the axis (clamped); strides may be negative.
// An axis whose size or bounds are unknown has an unknown dim.  The masks of the prototype must be
// 0: no front end sets them.
// Source: ONNX Slice; prototype StridedSliceV2 in tables/ops.json.
#include "kernels/slice.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

// Length of the lists begin, end, axes and strides; -1 when none of them tells.
Result<int64_t> Length(const InferContext& ctx) {
  int64_t length = kUnknownDim;
  for (size_t i = 1; i <= 4; ++i) {
    if (!ctx.has_input(i)) continue;
    GE_TRY(NeedsIndices(ctx, i));
    const Shape& list = ctx.shape(i);
    if (list.unknown_rank()) continue;
    const std::optional<int64_t> merged =
        list.rank() == 1 ? MergeDims(length, list[0]) : std::nullopt;
    if (!merged) {
      return ctx.Fail("begin, end, axes and strides must be lists of one length; input " +
                      std::to_string(i) + " has shape " + list.ToString());
    }
    length = *merged;
  }
  return length;
}

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  GE_ASSIGN(const int64_t length, Length(ctx));
  if (x.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownRank());
    return Status::Ok();
  }
  const std::optional<std::vector<int64_t>> axes = ctx.ConstInts(3);
  if (length == kUnknownDim || (ctx.has_input(3) && !axes)) {
    ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownDims(x.rank()));
    return Status::Ok();
  }
  std::vector<int64_t> named;
  if (axes) named = *axes;
  for (int64_t i = 0; !axes && i < std::min<int64_t>(length, static_cast<int64_t>(x.rank()) + 1);
       ++i) {
    named.push_back(i);
  }
  GE_ASSIGN(const std::vector<size_t> indices, AxesOf(ctx, named, x));
  const std::optional<std::vector<int64_t>> begin = ctx.ConstInts(1);
  const std::optional<std::vector<int64_t>> end = ctx.ConstInts(2);
  const std::optional<std::vector<int64_t>> strides = ctx.ConstInts(4);
  Shape y = x;
  for (size_t i = 0; i < indices.size(); ++i) {
    int64_t& dim = y[indices[i]];
    if (strides && (*strides)[i] == 0) {
      return ctx.Fail("the stride of axis " + std::to_string(indices[i]) + " is 0");
    }
    const bool known = dim != kUnknownDim && begin && end && (strides || !ctx.has_input(4));
    dim = known ? ClampSlice(dim, (*begin)[i], (*end)[i], strides ? (*strides)[i] : 1).count
                : kUnknownDim;
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kStridedSliceV2 = {.type = "StridedSliceV2",
                                    .infer = InferShape,
                                    .run_host = kernels::StridedSlice,
                                    .dtypes = DtypeSet::kBytes};
GE_OP(kStridedSliceV2);

}  // namespace
}  // namespace ge
