// Range: y = start, start + delta, start + 2 * delta, ... before limit.
//
//   start, limit, delta: one element each, same dtype    y [ceil((limit - start) / delta)]
//
// The length is unknown when an input is.
// Source: prototype Range in tables/ops.json.  ONNX Range maps here.
#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

template <typename T>
Status SetLength(InferContext& ctx, const std::optional<std::vector<T>> (&values)[3]) {
  const T start = values[0]->front(), limit = values[1]->front(), delta = values[2]->front();
  const std::optional<int64_t> count = RangeCount(start, limit, delta);
  if (!count) {
    return ctx.Fail("there is no range from " + std::to_string(start) + " to " +
                    std::to_string(limit) + " in steps of " + std::to_string(delta));
  }
  ctx.SetOutput(0, ctx.dtype(0), Shape{*count});
  return Status::Ok();
}

Status InferShape(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  for (size_t i = 0; i < 3; ++i) {
    if (ctx.shape(i).is_static() && ctx.shape(i).elements() != 1) {
      return ctx.Fail("input " + std::to_string(i) + " has shape " + ctx.shape(i).ToString() +
                      "; one element is accepted");
    }
  }
  ctx.SetOutput(0, ctx.dtype(0), Shape::UnknownDims(1));
  const std::optional<std::vector<int64_t>> ints[] = {ctx.ConstInts(0), ctx.ConstInts(1),
                                                      ctx.ConstInts(2)};
  if (ints[0] && ints[1] && ints[2]) return SetLength(ctx, ints);
  if (IsInteger(ctx.dtype(0))) return Status::Ok();
  const std::optional<std::vector<double>> floats[] = {ctx.ConstDoubles(0), ctx.ConstDoubles(1),
                                                       ctx.ConstDoubles(2)};
  if (floats[0] && floats[1] && floats[2]) return SetLength(ctx, floats);
  return Status::Ok();
}

constexpr OpImpl kRange = {.type = "Range", .infer = InferShape, .run_host = kernels::Range};
GE_OP(kRange);

}  // namespace
}  // namespace ge
