// Split, SplitV: y0, y1, ... are parts of x, cut along split_dim.
//
//   Split   split_dim scalar    x                                    num_split parts
//   SplitV  x    size_splits [num_split]    split_dim scalar         parts of these sizes
//
// Parts of Split have ceil(dim / num_split) elements on the axis, the last ones what is left: the
// rule of ONNX from opset 18 on, which equal parts are a case of.
// Source: prototypes Split and SplitV in tables/ops.json.  ONNX Split maps here.
#include <algorithm>

#include "kernels/layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

// Sets every output to x with its own size on the axis; -1: unknown.
Status SetParts(InferContext& ctx, size_t x_input, std::optional<int64_t> axis,
                const std::vector<int64_t>& sizes) {
  const Shape& x = ctx.shape(x_input);
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    Shape part = x;
    if (!x.unknown_rank()) {
      if (axis) {
        GE_ASSIGN(const size_t index, AxisOf(ctx, *axis, x));
        part[index] = sizes[i];
      } else {
        part = Shape::UnknownDims(x.rank());
      }
    }
    ctx.SetOutput(i, ctx.dtype(x_input), std::move(part));
  }
  return Status::Ok();
}

// Dim of x on the axis; -1 when it is not known.
Result<int64_t> DimAt(const InferContext& ctx, const Shape& x, std::optional<int64_t> axis) {
  if (x.unknown_rank() || !axis) return kUnknownDim;
  GE_ASSIGN(const size_t index, AxisOf(ctx, *axis, x));
  return x[index];
}

Status InferSplit(InferContext& ctx) {
  GE_ASSIGN(const std::optional<int64_t> axis, ConstAxis(ctx, 0));
  GE_ASSIGN(const int64_t dim, DimAt(ctx, ctx.shape(1), axis));
  const int64_t count = static_cast<int64_t>(ctx.output_count());
  std::vector<int64_t> sizes(ctx.output_count(), kUnknownDim);
  if (dim != kUnknownDim) {
    const int64_t part = dim / count + (dim % count != 0);
    int64_t left = dim;
    for (int64_t& size : sizes) {
      size = std::min(part, left);
      left -= size;
    }
  }
  return SetParts(ctx, 1, axis, sizes);
}

Status InferSplitV(InferContext& ctx) {
  GE_ASSIGN(const std::optional<int64_t> axis, ConstAxis(ctx, 2));
  GE_ASSIGN(const int64_t dim, DimAt(ctx, ctx.shape(0), axis));
  const std::optional<std::vector<int64_t>> sizes = ctx.ConstInts(1);
  if (!sizes) {
    return SetParts(ctx, 0, axis, std::vector<int64_t>(ctx.output_count(), kUnknownDim));
  }
  if (sizes->size() != ctx.output_count()) {
    return ctx.Fail(std::to_string(sizes->size()) + " sizes are given for " +
                    std::to_string(ctx.output_count()) + " outputs");
  }
  std::optional<int64_t> sum = 0;
  for (const int64_t size : *sizes) {
    if (size < 0) return ctx.Fail("size " + std::to_string(size) + " is negative");
    if (sum) sum = AddDims(*sum, size);
  }
  if (!sum || !SameOrUnknown(*sum, dim)) {
    return ctx.Fail("the sizes " + Shape(*sizes).ToString() + " do not add up to the " +
                    std::to_string(dim) + " elements of x " + ctx.shape(0).ToString() +
                    " along split_dim");
  }
  return SetParts(ctx, 0, axis, *sizes);
}

constexpr OpImpl kSplit = {
    .type = "Split", .infer = InferSplit, .run_host = kernels::Split, .dtypes = DtypeSet::kBytes};
constexpr OpImpl kSplitV = {.type = "SplitV",
                            .infer = InferSplitV,
                            .run_host = kernels::SplitV,
                            .dtypes = DtypeSet::kBytes};
GE_OP(kSplit);
GE_OP(kSplitV);

}  // namespace
}  // namespace ge
