// Shape, Size -> themselves with dtype int64; constants when the dims are known, also for the
// dims between start and end alone.  Part of a shape that is not known: Shape -> StridedSliceV2.
#include <algorithm>

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

const AttrList kInt64Dtype = {{"dtype", static_cast<int64_t>(DataType::kInt64)}};

Status ImportShape(OnnxOp& op) {
  const Shape& x = op.shape(0);
  const int64_t start = op.Int("start", 0), end = op.Int("end", INT64_MAX);
  if (!x.unknown_rank()) {
    const int64_t rank = static_cast<int64_t>(x.rank());
    const int64_t first = std::clamp<int64_t>(start < 0 ? start + rank : start, 0, rank);
    const int64_t last = std::clamp<int64_t>(end < 0 ? end + rank : end, first, rank);
    const Shape part(x.dims().first(static_cast<size_t>(last)).subspan(static_cast<size_t>(first)));
    if (part.is_static()) {
      op.SetOutput(0, op.ConstList(part.dims()));
      return Status::Ok();
    }
  }
  if (start == 0 && end == INT64_MAX) return op.EmitAs0("Shape", {op.input(0)}, kInt64Dtype);
  GE_ASSIGN(const Value whole, op.EmitHelper("Shape", {op.input(0)}, kInt64Dtype));
  return op.EmitAs0("StridedSliceV2", {whole, op.ConstList({{start}}), op.ConstList({{end}})});
}

Status ImportSize(OnnxOp& op) {
  if (!op.shape(0).is_static()) return op.EmitAs0("Size", {op.input(0)}, kInt64Dtype);
  const Value size = op.ConstList({{op.shape(0).elements().value_or(0)}});
  return op.EmitAs0("Reshape", {size, op.ConstList({})});
}

GE_ONNX_OP("Shape", ImportShape);
GE_ONNX_OP("Size", ImportSize);

}  // namespace
}  // namespace ge::onnx
