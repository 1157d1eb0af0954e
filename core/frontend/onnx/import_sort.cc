// TopK -> TopKV2 with int64 indices; before opset 10 k is an attribute.
// Unique -> UniqueWithCountsExt2, whose outputs are in another order.
#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

Status ImportTopK(OnnxOp& op) {
  Value k = op.input(1);
  if (op.opset() < 10) {
    if (!op.HasAttr("k")) return op.Fail("attribute k is missing");
    const int64_t count = op.Int("k", 0);
    k = op.ConstList({&count, 1});
  }
  GE_ASSIGN(const std::vector<Value> values,
            op.Emit("TopKV2", {op.input(0), k},
                    {{"sorted", op.Int("sorted", 1) != 0},
                     {"largest", op.Int("largest", 1) != 0},
                     {"dim", op.Int("axis", -1)},
                     {"indices_dtype", static_cast<int64_t>(DataType::kInt64)}},
                    2));
  op.SetOutput(0, values[0]);
  op.SetOutput(1, values[1]);
  return Status::Ok();
}

Status ImportUnique(OnnxOp& op) {
  std::vector<int64_t> axes;
  if (op.HasAttr("axis")) axes.push_back(op.Int("axis", 0));
  GE_ASSIGN(const std::vector<Value> values,
            op.Emit("UniqueWithCountsExt2", {op.input(0), op.ConstList(axes)},
                    {{"sorted", op.Int("sorted", 1) != 0}, {"return_inverse", true}}, 4));
  constexpr size_t kFromOutput[] = {0, 1, 3, 2};  // y, first index, inverse, counts
  for (size_t i = 0; i < 4; ++i) op.SetOutput(i, values[kFromOutput[i]]);
  return Status::Ok();
}

GE_ONNX_OP("TopK", ImportTopK);
GE_ONNX_OP("Unique", ImportUnique);

}  // namespace
}  // namespace ge::onnx
