// Clip: x held between two bounds.
//
//   before opset 6  bounds are attributes without defaults
//   opset 6 to 10   bounds are attributes; the defaults are the limits of float32
//   opset 11 on     bounds are optional scalar inputs, from 12 on also of integer dtypes
//
// Both bounds become ClipByValue, one alone Maximum or Minimum, none x itself.  If the lower bound
// is above the upper one, every result is the upper bound.
#include <limits>

#include "frontend/onnx/accept.h"

namespace ge::onnx {
namespace {

Status EmitClip(OnnxOp& op, Value lower, Value upper) {
  const Value x = op.input(0);
  if (lower && upper) return op.EmitAs0("ClipByValue", {x, lower, upper});
  if (lower) return op.EmitAs0("Maximum", {x, lower});
  if (upper) return op.EmitAs0("Minimum", {x, upper});
  op.SetOutput(0, x);
  return Status::Ok();
}

Status ClipByAttributes(OnnxOp& op) {
  constexpr float kLimit = std::numeric_limits<float>::max();
  const auto bound = [&](std::string_view name, float limit) {
    if (op.opset() < 6 && !op.HasAttr(name)) return Value{};
    return op.ConstScalar(static_cast<double>(op.Float(name, limit)), op.desc(0).dtype);
  };
  return EmitClip(op, bound("min", -kLimit), bound("max", kLimit));
}

Status AcceptBound(const OnnxOp& op, size_t i, std::string_view name) {
  if (!op.has_input(i)) return Status::Ok();
  const Shape& shape = op.shape(i);
  if (!shape.is_static() || shape.elements() == 1) return Status::Ok();
  return op.Fail("input " + std::string(name) + " has shape " + shape.ToString() +
                 "; a scalar is accepted");
}

Status ImportClip(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, op.opset() < 11 ? 1 : 3));
  GE_TRY(AcceptDtypes(op, kNumbers));
  if (!op.has_input(0)) return op.Fail("the input is missing");
  if (op.opset() < 11) return ClipByAttributes(op);
  GE_TRY(AcceptBound(op, 1, "min"));
  GE_TRY(AcceptBound(op, 2, "max"));
  return EmitClip(op, op.input(1), op.input(2));
}
GE_ONNX_OP("Clip", ImportClip);

}  // namespace
}  // namespace ge::onnx
