// Cast, CastLike -> Cast.  Before opset 6 Cast has the name of a data type, not its number.
//
// saturate and round_mode act on 8-bit and 4-bit float results only and are passed on for those.
#include <algorithm>

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

// Data types of TensorProto that Cast had names for, in the order of their numbers, from 1 on.
constexpr std::string_view kTypeNames[] = {"FLOAT",  "UINT8",  "INT8",   "UINT16", "INT16",
                                           "INT32",  "INT64",  "STRING", "BOOL",   "FLOAT16",
                                           "DOUBLE", "UINT32", "UINT64"};

Result<int64_t> TypeNumber(const OnnxOp& op) {
  if (op.opset() >= 6) return op.Int("to", 0);
  const std::string name = op.Str("to", "");
  const auto* const found = std::find(std::begin(kTypeNames), std::end(kTypeNames), name);
  if (found != std::end(kTypeNames)) return found - std::begin(kTypeNames) + 1;
  return op.Fail("attribute to is \"" + name +
                 "\"; names of data types such as FLOAT are accepted");
}

Status EmitCast(OnnxOp& op, DataType to) {
  AttrList attrs = {{"dst_type", static_cast<int64_t>(to)}};
  if (IsFloat(to) && RowOf(to).bits <= 8) {
    if (op.Int("saturate", 1) == 0) attrs.emplace_back("saturate", int64_t{0});
    const std::string round_mode = op.Str("round_mode", "up");
    if (round_mode != "up") attrs.emplace_back("round_mode", round_mode);
  }
  return op.EmitAs0("Cast", {op.input(0)}, std::move(attrs));
}

Status ImportCast(OnnxOp& op) {
  if (!op.HasAttr("to")) return op.Fail("attribute to is missing");
  GE_ASSIGN(const int64_t number, TypeNumber(op));
  const DataType to =
      number > 0 && number < 256 ? DataTypeOf(static_cast<int32_t>(number)) : DataType::kUndefined;
  if (to == DataType::kUndefined || to == DataType::kString) {
    return op.Unsupported("attribute to = " + std::to_string(number) +
                          "; numbers of ONNX data types that GE has are built, but not string");
  }
  return EmitCast(op, to);
}

Status ImportCastLike(OnnxOp& op) {
  if (!op.has_input(1)) return op.Fail("input 1 is missing");
  return EmitCast(op, op.desc(1).dtype);
}

GE_ONNX_OP("Cast", ImportCast);
GE_ONNX_OP("CastLike", ImportCastLike);

}  // namespace
}  // namespace ge::onnx
