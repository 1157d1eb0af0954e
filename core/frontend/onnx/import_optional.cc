// Optional, OptionalHasElement, OptionalGetElement: whether there is an element is known while the
// model is imported, and the element stands for the optional that has it.
#include "frontend/onnx/accept.h"
#include "frontend/onnx/builder.h"

namespace ge::onnx {
namespace {

bool HasElement(OnnxOp& op) {
  const Containers& containers = op.builder().state().containers;
  const Value value = op.input(0);
  return value && (!containers.Holds(value) || containers.Elements(value) != nullptr);
}

Status ImportOptional(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  op.SetOutput(0, op.has_input(0) ? op.input(0) : op.builder().state().containers.EmptyOptional());
  return Status::Ok();
}

Status ImportOptionalHasElement(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  op.SetOutput(0, op.ConstScalar(HasElement(op), DataType::kBool));
  return Status::Ok();
}

Status ImportOptionalGetElement(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  if (!HasElement(op)) return op.Fail("the optional has no element");
  op.SetOutput(0, op.input(0));
  return Status::Ok();
}

GE_ONNX_OP("Optional", ImportOptional);
GE_ONNX_OP("OptionalHasElement", ImportOptionalHasElement);
GE_ONNX_OP("OptionalGetElement", ImportOptionalGetElement);

}  // namespace
}  // namespace ge::onnx
