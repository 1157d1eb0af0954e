// Bitcast: y is the bytes of x, read as elements of another dtype.
//
//   x [d0, d1, ...]    type: dtype of y
//   y as x when the widths are equal; a narrower type adds a last dim, a wider one joins the last
//
// With keep_dim the widths must be equal: y has the dims of x.
// Source: prototype Bitcast in tables/ops.json; TensorFlow bitcast for widths that differ. bfloat16
// is not in the prototype's lists, but is a type of 16 bits like the others.
#include <string>

#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const DataType* type = ctx.node().attrs().Get<DataType>("type");
  if (type == nullptr) return ctx.Fail("attribute type is missing");
  const int from = RowOf(ctx.dtype(0)).bits, to = RowOf(*type).bits;
  const std::string both =
      std::string(UserName(ctx.dtype(0))) + " and " + std::string(UserName(*type));
  if (from == to && to != 0) {
    ctx.SetOutput(0, *type, ctx.shape(0));
    return Status::Ok();
  }
  if (ctx.Bool("keep_dim") || from < 8 || to < 8 || (from % to != 0 && to % from != 0)) {
    return ctx.Fail(both + " have different widths");
  }
  const Shape& x = ctx.shape(0);
  if (x.unknown_rank()) {
    ctx.SetOutput(0, *type, x);
    return Status::Ok();
  }
  std::vector<int64_t> dims = x.ToVector();
  if (from > to) {
    dims.push_back(from / to);
  } else if (dims.empty() || !SameOrUnknown(dims.back(), to / from)) {
    return ctx.Fail(both + " need a last dim of " + std::to_string(to / from) + ", x has shape " +
                    x.ToString());
  } else {
    dims.pop_back();
  }
  ctx.SetOutput(0, *type, Shape(std::move(dims)));
  return Status::Ok();
}

constexpr OpImpl kBitcast = {.type = "Bitcast", .infer = InferShape, .view = true};
GE_OP(kBitcast);

}  // namespace
}  // namespace ge
