// Identity -> Identity.  Dropout -> Dropout, which passes its input through.
//
// The mask that Dropout may give is all true from opset 12 on, and all zero before, where
// onnxruntime is the only definition of it (with the dtype of the data before opset 10).  Before
// opset 7 attribute is_test says that the input passes.
#include "frontend/onnx/builder.h"
#include "frontend/onnx/filled_like.h"

namespace ge::onnx {
namespace {

Status ImportIdentity(OnnxOp& op) {
  if (op.builder().state().containers.Holds(op.input(0))) {
    op.SetOutput(0, op.input(0));
    return Status::Ok();
  }
  return op.EmitAs0("Identity", {op.input(0)});
}

Status ImportDropout(OnnxOp& op) {
  if (op.has_input(2)) {
    const std::optional<std::vector<int64_t>> training = op.ConstInts(2);
    if (!training || training->size() != 1 || training->front() != 0) {
      return op.Unsupported("input training_mode that is not the constant false");
    }
  }
  if (op.opset() < 7 && op.Int("is_test", 0) == 0) {
    return op.Unsupported("is_test 0, training; 1, the inference form, is built");
  }
  if (op.wants_output(1)) {
    const DataType dtype = op.opset() < 10 ? op.desc(0).dtype : DataType::kBool;
    if (!HasConstants(dtype)) return op.Unsupported("output mask of this dtype");
    GE_ASSIGN(const Value mask, FilledLike(op, op.input(0), op.opset() >= 12, dtype));
    op.SetOutput(1, mask);
  }
  return op.EmitAs0("Dropout", {op.input(0)});
}

GE_ONNX_OP("Identity", ImportIdentity);
GE_ONNX_OP("Dropout", ImportDropout);

}  // namespace
}  // namespace ge::onnx
