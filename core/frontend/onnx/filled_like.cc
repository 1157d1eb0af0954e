#include "frontend/onnx/filled_like.h"

#include "kernels/dispatch.h"

namespace ge::onnx {

Result<Value> FilledLike(OnnxOp& op, Value like, bool ones, DataType dtype) {
  const Shape& shape = like.desc().shape;
  if (shape.is_static()) {
    return op.EmitHelper("Fill", {op.ConstList(shape.dims()), op.ConstScalar(ones, dtype)});
  }
  GE_ASSIGN(const Value filled, op.EmitHelper(ones ? "OnesLike" : "ZerosLike", {like}));
  if (filled.desc().dtype == dtype) return filled;
  return op.EmitHelper("Cast", {filled}, {{"dst_type", static_cast<int64_t>(dtype)}});
}

bool HasConstants(DataType dtype) {
  return VisitNumbers(dtype, [](auto) {});
}

}  // namespace ge::onnx
