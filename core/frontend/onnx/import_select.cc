// Where -> SelectV2, NonZero -> NonZero with [rank, n] results, Trilu -> Trilu, Range -> Range,
// CumSum -> Cumsum.
// OneHot -> OneHot; its two values are cut apart, and numbers of other types cast to int64.
// EyeLike -> ones, of which two Trilu keep the k-th diagonal.
#include "frontend/onnx/filled_like.h"

namespace ge::onnx {
namespace {

Status ImportWhere(OnnxOp& op) {
  return op.EmitAs0("SelectV2", {op.input(0), op.input(1), op.input(2)});
}

Status ImportNonZero(OnnxOp& op) {
  return op.EmitAs0("NonZero", {op.input(0)}, {{"transpose", true}});
}

Status ImportTrilu(OnnxOp& op) {
  return op.EmitAs0("Trilu", {op.input(0), op.input(1)}, {{"upper", op.Int("upper", 1)}});
}

Status ImportRange(OnnxOp& op) {
  const DataType dtype = op.desc(0).dtype;
  const bool is_half = dtype == DataType::kFloat16 || dtype == DataType::kBf16;
  if (is_half && op.Int("stash_type", 1) != 1) {
    return op.Unsupported("stash_type " + std::to_string(op.Int("stash_type", 1)) +
                          "; 1 (float32) is built");
  }
  return op.EmitAs0("Range", {op.input(0), op.input(1), op.input(2)});
}

Status ImportCumSum(OnnxOp& op) {
  return op.EmitAs0(
      "Cumsum", {op.input(0), op.input(1)},
      {{"exclusive", op.Int("exclusive", 0) != 0}, {"reverse", op.Int("reverse", 0) != 0}});
}

Result<Value> AsIndices(OnnxOp& op, size_t i) {
  const DataType dtype = op.desc(i).dtype;
  if (dtype == DataType::kInt32 || dtype == DataType::kInt64) return op.input(i);
  return op.EmitHelper("Cast", {op.input(i)},
                       {{"dst_type", static_cast<int64_t>(DataType::kInt64)}});
}

Status ImportOneHot(OnnxOp& op) {
  for (size_t i = 0; i < 3; ++i) {
    if (!op.has_input(i)) return op.Fail("input " + std::to_string(i) + " is missing");
  }
  GE_ASSIGN(const Value indices, AsIndices(op, 0));
  GE_ASSIGN(const Value depth, AsIndices(op, 1));
  if (!op.shape(2).unknown_rank() && op.shape(2) != Shape{2} && op.shape(2) != Shape{kUnknownDim}) {
    return op.Fail("values has shape " + op.shape(2).ToString() + "; [2] is accepted");
  }
  const auto value_at = [&](int64_t i) {
    const int64_t end = i + 1;
    return op.EmitHelper("StridedSliceV2",
                         {op.input(2), op.ConstList({&i, 1}), op.ConstList({&end, 1})});
  };
  GE_ASSIGN(const Value off, value_at(0));
  GE_ASSIGN(const Value on, value_at(1));
  return op.EmitAs0("OneHot", {indices, depth, on, off},
                    {{"axis", op.Int("axis", -1)}, {"negative_index_support", true}});
}

Status ImportEyeLike(OnnxOp& op) {
  const Shape& x = op.shape(0);
  if (!x.unknown_rank() && x.rank() != 2) {
    return op.Fail("the input has shape " + x.ToString() + "; a matrix is accepted");
  }
  DataType dtype = op.desc(0).dtype;
  if (op.HasAttr("dtype")) dtype = DataTypeOf(static_cast<int32_t>(op.Int("dtype", 0)));
  if (!HasConstants(dtype))
    return op.Unsupported("this dtype; the usual numbers and bool are built");
  const int64_t k = op.Int("k", 0);
  GE_ASSIGN(const Value ones, FilledLike(op, op.input(0), true, dtype));
  const Value diagonal = op.ConstList({&k, 1});
  GE_ASSIGN(const Value upper, op.EmitHelper("Trilu", {ones, diagonal}, {{"upper", int64_t{1}}}));
  return op.EmitAs0("Trilu", {upper, diagonal}, {{"upper", int64_t{0}}});
}

GE_ONNX_OP("Where", ImportWhere);
GE_ONNX_OP("NonZero", ImportNonZero);
GE_ONNX_OP("Trilu", ImportTrilu);
GE_ONNX_OP("Range", ImportRange);
GE_ONNX_OP("CumSum", ImportCumSum);
GE_ONNX_OP("OneHot", ImportOneHot);
GE_ONNX_OP("EyeLike", ImportEyeLike);

}  // namespace
}  // namespace ge::onnx
