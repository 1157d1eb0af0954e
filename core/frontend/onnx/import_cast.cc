// Cast, CastLike -> Cast.
//
// saturate and round_mode act on 8-bit and 4-bit float results only and are passed on for those.
#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

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
  const int64_t number = op.Int("to", 0);
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
