#include "frontend/onnx/legacy_broadcast.h"

#include <numeric>

#include "frontend/onnx/accept.h"
#include "ops/infer_rules.h"

namespace ge::onnx {
namespace {

// That dims of b fit those of a from `first` on without making them more.
Status AcceptDims(const OnnxOp& op, size_t first) {
  const Shape &a = op.shape(0), &b = op.shape(1);
  for (size_t i = 0; i < b.rank(); ++i) {
    if (b[i] == 1 || MergeDims(a[first + i], b[i])) continue;
    return op.Fail("operand of shape " + b.ToString() + " does not broadcast to " + a.ToString() +
                   " from axis " + std::to_string(first) + " on");
  }
  return Status::Ok();
}

}  // namespace

Status AcceptWithoutBroadcast(const OnnxOp& op, size_t i, const Shape& wanted) {
  if (MergeShapes(op.shape(i), wanted)) return Status::Ok();
  return op.Fail("input " + std::to_string(i) + " has shape " + op.shape(i).ToString() + "; " +
                 wanted.ToString() + " is accepted without attribute broadcast = 1 in opset " +
                 std::to_string(op.opset()));
}

Result<Value> SecondOperand(OnnxOp& op) {
  if (op.opset() >= 7) return op.input(1);
  GE_TRY(RequireInputs(op, 2));
  const Shape &a = op.shape(0), &b = op.shape(1);
  if (op.Int("broadcast", 0) == 0) {
    GE_TRY(AcceptWithoutBroadcast(op, 1, a));
    return op.input(1);
  }
  const bool has_axis = op.HasAttr("axis");
  if (a.unknown_rank() || b.unknown_rank()) {
    if (!has_axis || b.has_rank(0)) return op.input(1);
    return op.Unsupported("attribute axis with an operand of unknown rank");
  }
  if (b.rank() > a.rank()) {
    return op.Fail("operand of shape " + b.ToString() + " has more dims than " + a.ToString());
  }
  if (b.elements() == 1) return op.input(1);
  const int64_t spare = static_cast<int64_t>(a.rank() - b.rank());
  const int64_t axis = has_axis ? op.Int("axis", 0) : spare;
  if (axis < 0 || axis > spare) {
    return op.Fail("axis " + std::to_string(axis) + " with operands of shapes " + a.ToString() +
                   " and " + b.ToString() + "; 0 to " + std::to_string(spare) + " is accepted");
  }
  GE_TRY(AcceptDims(op, static_cast<size_t>(axis)));
  if (axis == spare) return op.input(1);
  std::vector<int64_t> behind(static_cast<size_t>(spare - axis));
  std::iota(behind.begin(), behind.end(), static_cast<int64_t>(b.rank()));
  return op.EmitHelper("Unsqueeze", {op.input(1)}, {{"axes", behind}});
}

}  // namespace ge::onnx
