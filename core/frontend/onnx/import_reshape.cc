// Reshape -> Reshape; before opset 5 the shape is an attribute.  Flatten -> Flatten.  Squeeze,
// Unsqueeze -> themselves when the axes are an attribute (before opset 13), SqueezeV3 and
// UnsqueezeV3 when they are an input.
#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

constexpr int64_t kAxesAreInput = 13;

Status ImportReshape(OnnxOp& op) {
  if (op.opset() < 5) {
    if (!op.HasAttr("shape")) return op.Fail("attribute shape is missing");
    return op.EmitAs0("Reshape", {op.input(0), op.ConstList(op.Ints("shape"))});
  }
  AttrList attrs;
  if (const int64_t allowzero = op.Int("allowzero", 0)) attrs = {{"allowzero", allowzero}};
  return op.EmitAs0("Reshape", {op.input(0), op.input(1)}, std::move(attrs));
}

Status ImportFlatten(OnnxOp& op) {
  return op.EmitAs0("Flatten", {op.input(0)}, {{"axis", op.Int("axis", 1)}});
}

Status ImportSqueeze(OnnxOp& op) {
  if (op.opset() >= kAxesAreInput) return op.EmitAs0("SqueezeV3", {op.input(0), op.input(1)});
  return op.EmitAs0("Squeeze", {op.input(0)}, {{"axis", op.Ints("axes")}});
}

Status ImportUnsqueeze(OnnxOp& op) {
  if (op.opset() >= kAxesAreInput) return op.EmitAs0("UnsqueezeV3", {op.input(0), op.input(1)});
  if (!op.HasAttr("axes")) return op.Fail("attribute axes is missing");
  return op.EmitAs0("Unsqueeze", {op.input(0)}, {{"axes", op.Ints("axes")}});
}

GE_ONNX_OP("Reshape", ImportReshape);
GE_ONNX_OP("Flatten", ImportFlatten);
GE_ONNX_OP("Squeeze", ImportSqueeze);
GE_ONNX_OP("Unsqueeze", ImportUnsqueeze);

}  // namespace
}  // namespace ge::onnx
