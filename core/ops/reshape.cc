// Reshape: y has the elements of x, in the same order, in another shape.
//
//   x any shape    shape [rank of y], integers    y as `shape` says
//
// One dim of `shape` may be -1: it takes what is left over.  A 0 copies the dim of x at that
// position, unless allowzero is set.  Unknown dims of x that are copied drop out of the count of
// elements, so a -1 behind them is known all the same.
// Source: ONNX Reshape; prototype Reshape in tables/ops.json.  allowzero (an integer) is ONNX's
// attribute, which the prototype lacks.
#include <algorithm>
#include <string>

#include "ops/infer_rules.h"

namespace ge {
namespace {

// What has to match: the dims that are no copies of one another.
struct Count {
  int64_t elements = 1;  // product of the known dims
  bool has_unknown = false;
};

Result<Count> CountOf(const InferContext& ctx, std::span<const int64_t> dims) {
  Count count;
  for (const int64_t dim : dims) {
    if (dim == kUnknownDim) {
      count.has_unknown = true;
    } else if (const std::optional<int64_t> product = MulDims(count.elements, dim)) {
      count.elements = *product;
    } else {
      return ctx.Fail("shape " + Shape(dims).ToString() + " has more elements than 63 bits count");
    }
  }
  return count;
}

std::string NameOfShapeInput(const InferContext& ctx) {
  const Node& producer = *ctx.node().input(1).node;
  return (producer.is_const() ? "constant [" : "input [") + producer.source_name() + "]";
}

// Case C16 of real life: a network exported with batch 1 has the 1 in this constant.
Status Mismatch(const InferContext& ctx, const std::vector<int64_t>& asked, int64_t elements,
                int64_t asked_elements, bool has_free_dim) {
  const Shape& x = ctx.shape(0);
  const Shape shape(asked);
  std::string reason = "x " + x.ToString() + " has " + std::to_string(elements) +
                       " elements, but " + NameOfShapeInput(ctx) + " asks for " + shape.ToString() +
                       ", which has " + (has_free_dim ? "a multiple of " : "") +
                       std::to_string(asked_elements);
  const int64_t large = std::max(elements, asked_elements);
  const int64_t small = std::min(elements, asked_elements);
  if (small <= 0 || large % small != 0 || has_free_dim) return ctx.Fail(std::move(reason));
  const int64_t factor = large / small;
  reason += ": the factor is " + std::to_string(factor) + ", so ";
  const int64_t baked = asked.empty() ? 0 : asked[0];
  const bool is_batch = x.rank() > 0 && baked > 0 && std::max(x[0], baked) % factor == 0 &&
                        std::max(x[0], baked) / factor == std::min(x[0], baked);
  reason += is_batch ? "batch " + std::to_string(baked) +
                           " is probably baked into it, while x has batch " + std::to_string(x[0])
                     : std::string("a batch is probably baked into it");
  Status status = ctx.Fail(std::move(reason));
  status.WithSolution(
      "Export the model again with a dynamic batch, or compile it with the batch it was exported "
      "with.");
  return status;
}

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const std::optional<std::vector<int64_t>> asked = ctx.ConstInts(1);
  if (!asked) {
    GE_ASSIGN(Shape shape, ShapeFromList(ctx, 1));
    ctx.SetOutput(0, ctx.dtype(0), std::move(shape));
    return Status::Ok();
  }
  const bool copies = ctx.Int("allowzero") == 0;
  std::vector<int64_t> dims = *asked;  // of y
  std::vector<int64_t> own_x = x.unknown_rank() ? std::vector<int64_t>{kUnknownDim} : x.ToVector();
  std::vector<int64_t> own_y = dims;  // without those that are copied
  std::optional<size_t> free_axis;
  bool knows_copies = true;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (dims[axis] < -1 || (dims[axis] == -1 && free_axis)) {
      return ctx.Fail(NameOfShapeInput(ctx) + " asks for " + Shape(*asked).ToString() +
                      "; one dim may be -1, the others are 0 or more");
    }
    if (dims[axis] == -1) {
      free_axis = axis;
      own_y[axis] = 1;
    }
    if (dims[axis] != 0 || !copies) continue;
    own_y[axis] = 1;
    if (x.unknown_rank()) {
      dims[axis] = kUnknownDim;
      knows_copies = false;
    } else if (axis < x.rank()) {
      dims[axis] = x[axis];
      own_x[axis] = 1;
    } else {
      return ctx.Fail(NameOfShapeInput(ctx) + " copies dim " + std::to_string(axis) + " of x " +
                      x.ToString() + ", which it does not have");
    }
  }
  GE_ASSIGN(const Count count_x, CountOf(ctx, own_x));
  GE_ASSIGN(const Count count_y, CountOf(ctx, own_y));
  if (free_axis && count_y.elements == 0) {
    return ctx.Fail(NameOfShapeInput(ctx) + " asks for " + Shape(*asked).ToString() +
                    ", where a dim of 0 leaves -1 undetermined");
  }
  if (!count_x.has_unknown && knows_copies) {
    const bool fits =
        free_axis ? count_x.elements % count_y.elements == 0 : count_x.elements == count_y.elements;
    if (!fits) {
      GE_ASSIGN(const Count whole_x, CountOf(ctx, x.dims()));
      std::vector<int64_t> known_y = dims;
      if (free_axis) known_y[*free_axis] = 1;
      GE_ASSIGN(const Count whole_y, CountOf(ctx, known_y));
      return Mismatch(ctx, *asked, whole_x.elements, whole_y.elements, free_axis.has_value());
    }
    if (free_axis) dims[*free_axis] = count_x.elements / count_y.elements;
  }
  ctx.SetOutput(0, ctx.dtype(0), Shape(std::move(dims)));
  return Status::Ok();
}

constexpr OpImpl kReshape = {.type = "Reshape", .infer = InferShape, .view = true};
GE_OP(kReshape);

}  // namespace
}  // namespace ge
