// SwiGLU: a * sigmoid(alpha * a) * b -> Swish and Mul.
#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

Status ImportSwiGlu(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kFloats));
  const Shape &a = op.shape(0), &b = op.shape(1);
  if (a.is_static() && b.is_static() && a != b) {
    return op.Fail("A has shape " + a.ToString() + ", B " + b.ToString() +
                   "; equal shapes are accepted");
  }
  GE_ASSIGN(const Value gate,
            op.EmitHelper("Swish", {op.input(0)}, {{"scale", op.Float("alpha", 1.0f)}}));
  return op.EmitAs0("Mul", {gate, op.input(1)});
}
GE_ONNX_OP("SwiGLU", ImportSwiGlu);

}  // namespace
}  // namespace ge::onnx
