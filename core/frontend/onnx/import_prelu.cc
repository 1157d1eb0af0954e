// PRelu -> PRelu.  The slope aligns at the last axis of the input; one of shape [C, 1, ...] becomes
// GE's [C], any other with fewer dims gets leading dims of 1.  Before opset 7 one of shape [C] is
// one per channel.
#include <algorithm>
#include <numeric>

#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

std::vector<int64_t> Axes(size_t first, size_t last) {
  std::vector<int64_t> axes(last - first);
  std::iota(axes.begin(), axes.end(), static_cast<int64_t>(first));
  return axes;
}

Result<Value> SlopeOf(OnnxOp& op) {
  const Shape& x = op.shape(0);
  const Shape& slope = op.shape(1);
  if (slope.unknown_rank()) return op.Unsupported("a slope of unknown rank");
  if (slope.rank() <= 1 && slope.elements() == 1) return op.input(1);
  if (x.unknown_rank()) return op.Unsupported("an input of unknown rank");
  if (slope.rank() > x.rank()) {
    return op.Fail("slope of shape " + slope.ToString() +
                   " has more dims than the input of shape " + x.ToString());
  }
  const bool tail_of_ones = std::all_of(slope.dims().begin() + 1, slope.dims().end(),
                                        [](int64_t dim) { return dim == 1; });
  if (slope.rank() + 1 == x.rank() && tail_of_ones) {
    if (slope.rank() == 1) return op.input(1);
    return op.EmitHelper("Squeeze", {op.input(1)}, {{"axis", Axes(1, slope.rank())}});
  }
  if (slope.rank() == x.rank()) return op.input(1);
  if (op.opset() < 7 && slope.rank() == 1) return op.input(1);
  return op.EmitHelper("Unsqueeze", {op.input(1)}, {{"axes", Axes(0, x.rank() - slope.rank())}});
}

Status ImportPRelu(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kNumbers));
  GE_ASSIGN(const Value slope, SlopeOf(op));
  return op.EmitAs0("PRelu", {op.input(0), slope});
}

GE_ONNX_OP("PRelu", ImportPRelu);

}  // namespace
}  // namespace ge::onnx
