#include "frontend/onnx/accept.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ge::onnx {
namespace {

unsigned KindOf(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat16:
    case DataType::kBf16:
    case DataType::kFloat:
    case DataType::kDouble:
      return kFloats;
    case DataType::kInt8:
    case DataType::kInt16:
    case DataType::kInt32:
    case DataType::kInt64:
    case DataType::kUint8:
    case DataType::kUint16:
    case DataType::kUint32:
    case DataType::kUint64:
      return kIntegers;
    case DataType::kBool:
      return kBools;
    default:
      return 0;
  }
}

std::string Names(unsigned kinds) {
  std::string names;
  const auto add = [&](unsigned kind, std::string_view name) {
    if ((kinds & kind) == 0) return;
    if (!names.empty()) names += ", ";
    names += name;
  };
  add(kFloats, "float16, bfloat16, float32, float64");
  add(kIntegers, "int8 to int64, uint8 to uint64");
  add(kBools, "bool");
  return names;
}

}  // namespace

Status AcceptDtypes(const OnnxOp& op, unsigned kinds, size_t last) {
  for (size_t i = 0; i < op.input_count() && i <= last; ++i) {
    if (!op.has_input(i) || (KindOf(op.desc(i).dtype) & kinds) != 0) continue;
    return op.Unsupported("input " + std::to_string(i) + " of dtype " +
                          std::string(UserName(op.desc(i).dtype)) + "; accepted are " +
                          Names(kinds));
  }
  return Status::Ok();
}

Status RequireInputs(const OnnxOp& op, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!op.has_input(i)) return op.Fail("input " + std::to_string(i) + " is missing");
  }
  return Status::Ok();
}

Status AcceptInputs(const OnnxOp& op, size_t count) {
  if (op.input_count() <= count) return Status::Ok();
  return op.Fail("there are " + std::to_string(op.input_count()) + " inputs; at most " +
                 std::to_string(count) + " are accepted");
}

Result<int64_t> AcceptAxis(const OnnxOp& op, int64_t axis) {
  constexpr int64_t kLimit = std::numeric_limits<int32_t>::max();
  const Shape& shape = op.shape(0);
  const std::string text = "axis " + std::to_string(axis);
  if (shape.unknown_rank()) {
    if (axis < -kLimit || axis > kLimit) return op.Fail(text + " is beyond any rank");
    return axis;
  }
  if (const std::optional<size_t> index = NormalizeAxis(axis, shape.rank())) {
    return static_cast<int64_t>(*index);
  }
  return op.Fail(text + " is outside shape " + shape.ToString());
}

}  // namespace ge::onnx
