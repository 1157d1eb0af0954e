// Identity -> Identity.  Dropout -> Dropout, which passes its input through.
//
// The mask that Dropout may give is a Fill: all true from opset 12 on, and all zero before, where
// onnxruntime is the only definition of it (with the dtype of the data before opset 10).
#include "frontend/onnx/shape_of.h"

namespace ge::onnx {
namespace {

Status ImportIdentity(OnnxOp& op) {
  return op.EmitAs0("Identity", {op.input(0)});
}

Status ImportDropout(OnnxOp& op) {
  if (op.has_input(2)) {
    const std::optional<std::vector<int64_t>> training = op.ConstInts(2);
    if (!training || training->size() != 1 || training->front() != 0) {
      return op.Unsupported("input training_mode that is not the constant false");
    }
  }
  if (op.wants_output(1)) {
    const DataType dtype = op.opset() < 10 ? op.desc(0).dtype : DataType::kBool;
    if (!HasConstants(dtype)) return op.Unsupported("output mask of this dtype");
    GE_ASSIGN(const Value shape, ShapeOf(op, op.input(0)));
    const Value value = op.ConstScalar(op.opset() < 12 ? 0 : 1, dtype);
    GE_ASSIGN(const Value mask, op.EmitHelper("Fill", {shape, value}));
    op.SetOutput(1, mask);
  }
  return op.EmitAs0("Dropout", {op.input(0)});
}

GE_ONNX_OP("Identity", ImportIdentity);
GE_ONNX_OP("Dropout", ImportDropout);

}  // namespace
}  // namespace ge::onnx
