// BitCast -> Bitcast: the same bytes read as another dtype of the same width.
#include <string>

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

Status ImportBitCast(OnnxOp& op) {
  if (!op.HasAttr("to")) return op.Fail("attribute to is missing");
  const int64_t number = op.Int("to", 0);
  const DataType to =
      number > 0 && number < 256 ? DataTypeOf(static_cast<int32_t>(number)) : DataType::kUndefined;
  const DataType from = op.desc(0).dtype;
  if (to == DataType::kUndefined || to == DataType::kString) {
    return op.Unsupported("attribute to = " + std::to_string(number) +
                          "; numbers of ONNX data types that GE has are built, but not string");
  }
  if (RowOf(to).bits != RowOf(from).bits) {
    return op.Fail(std::string(UserName(from)) + " and " + std::string(UserName(to)) +
                   " have different widths; equal ones are accepted");
  }
  return op.EmitAs0("Bitcast", {op.input(0)}, {{"type", to}, {"keep_dim", true}});
}
GE_ONNX_OP("BitCast", ImportBitCast);

}  // namespace
}  // namespace ge::onnx
