// PadV3: y is x with elements added before and after it on each axis.
//
//   x [d0, d1, ...]    paddings [2 * rank of x]    constant_values: one element, optional (0)
//   y [before0 + d0 + after0, ...]
//
// paddings_contiguous: true for before0, after0, before1, ...; false for ONNX's order, all before,
// then all after.  A negative padding cuts elements off.  mode: constant; edge repeats the border;
// reflect mirrors at it; wrap (ONNX's, which the prototype does not list) starts over.
// Source: ONNX Pad; prototype PadV3 in tables/ops.json.
#include "kernels/slice.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

// Dim of the padded axis; nullopt when it cannot be.
std::optional<int64_t> PaddedDim(int64_t dim, int64_t before, int64_t after, bool constant) {
  const __int128 kept =
      static_cast<__int128>(dim) + std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
  const __int128 padded = kept + std::max<int64_t>(before, 0) + std::max<int64_t>(after, 0);
  if (kept < 0 || padded > INT64_MAX) return std::nullopt;
  if (kept == 0 && padded != 0 && !constant) return std::nullopt;  // nothing to repeat
  return static_cast<int64_t>(padded);
}

Status InferShape(InferContext& ctx) {
  GE_TRY(NeedsIndices(ctx, 1));
  const std::string mode = ctx.Str("mode");
  if (mode != "constant" && mode != "edge" && mode != "reflect" && mode != "wrap") {
    return ctx.Fail("mode is " + mode + "; constant, edge, reflect and wrap are accepted");
  }
  if (ctx.has_input(2)) {
    const Shape& value = ctx.shape(2);
    if (ctx.dtype(2) != ctx.dtype(0)) return ctx.Fail("x and the constant have different dtypes");
    if (value.is_static() && value.elements() != 1) {
      return ctx.Fail("the constant has shape " + value.ToString() + "; one element is accepted");
    }
  }
  const Shape& x = ctx.shape(0);
  const std::optional<std::vector<int64_t>> pads = ctx.ConstInts(1);
  if (!pads || x.unknown_rank()) {
    const size_t rank = x.unknown_rank() ? (pads ? pads->size() / 2 : 0) : x.rank();
    const bool known = pads || !x.unknown_rank();
    ctx.SetOutput(0, ctx.dtype(0), known ? Shape::UnknownDims(rank) : Shape::UnknownRank());
    return Status::Ok();
  }
  if (pads->size() != 2 * x.rank()) {
    return ctx.Fail(std::to_string(pads->size()) + " paddings are given; x " + x.ToString() +
                    " takes " + std::to_string(2 * x.rank()));
  }
  const bool paired = ctx.Bool("paddings_contiguous");
  Shape y = x;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    const int64_t before = (*pads)[paired ? 2 * axis : axis];
    const int64_t after = (*pads)[paired ? 2 * axis + 1 : x.rank() + axis];
    if (x[axis] == kUnknownDim) {
      if (before != 0 || after != 0) y[axis] = kUnknownDim;
      continue;
    }
    const std::optional<int64_t> dim = PaddedDim(x[axis], before, after, mode == "constant");
    if (!dim) {
      return ctx.Fail("paddings " + std::to_string(before) + " and " + std::to_string(after) +
                      " of axis " + std::to_string(axis) + " do not fit x " + x.ToString() +
                      " in mode " + mode);
    }
    y[axis] = *dim;
  }
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kPadV3 = {
    .type = "PadV3", .infer = InferShape, .run_host = kernels::Pad, .dtypes = DtypeSet::kBytes};
GE_OP(kPadV3);

}  // namespace
}  // namespace ge
