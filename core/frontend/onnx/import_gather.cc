// Gather -> GatherV2, GatherND -> GatherNd, GatherElements -> GatherElements.
// Compress -> GatherV2 of the positions that NonZero finds, on the data as a list without axis.
// Scatter, ScatterElements -> ScatterElements.
// ScatterND -> TensorScatterUpdate, TensorScatterAdd, TensorScatterMax or TensorScatterMin.
#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {
namespace {

const std::pair<std::string_view, Attr> kNegativeIndices = {"negative_index_support", true};

Status ImportGather(OnnxOp& op) {
  const int64_t axis = op.Int("axis", 0);
  return op.EmitAs0(
      "GatherV2",
      {op.input(0), op.input(1), op.ConstScalar(static_cast<double>(axis), DataType::kInt32)},
      {kNegativeIndices});
}

Status ImportGatherNd(OnnxOp& op) {
  AttrList attrs = {kNegativeIndices};
  if (const int64_t batch_dims = op.Int("batch_dims", 0)) {
    attrs.emplace_back("batch_dims", batch_dims);
  }
  return op.EmitAs0("GatherNd", {op.input(0), op.input(1)}, std::move(attrs));
}

Status ImportGatherElements(OnnxOp& op) {
  return op.EmitAs0("GatherElements", {op.input(0), op.input(1)}, {{"dim", op.Int("axis", 0)}});
}

Status ImportCompress(OnnxOp& op) {
  Value x = op.input(0);
  if (!op.HasAttr("axis")) {
    GE_ASSIGN(x, op.EmitHelper("Reshape", {x, op.ConstList({{-1}})}));
  }
  GE_ASSIGN(const Value tuples, op.EmitHelper("NonZero", {op.input(1)}, {{"transpose", true}}));
  GE_ASSIGN(const Value positions,
            op.EmitHelper("Squeeze", {tuples}, {{"axis", std::vector<int64_t>{0}}}));
  const int64_t axis = op.Int("axis", 0);
  return op.EmitAs0("GatherV2",
                    {x, positions, op.ConstScalar(static_cast<double>(axis), DataType::kInt32)},
                    {kNegativeIndices});
}

Result<std::string> Reduction(const OnnxOp& op) {
  const std::string reduction = op.Str("reduction", "none");
  for (const char* known : {"none", "add", "mul", "max", "min"}) {
    if (reduction == known) return reduction;
  }
  return op.Unsupported("reduction " + reduction + "; none, add, mul, max and min are built");
}

Status ImportScatterElements(OnnxOp& op) {
  GE_ASSIGN(const std::string reduction, Reduction(op));
  return op.EmitAs0("ScatterElements", {op.input(0), op.input(1), op.input(2)},
                    {{"axis", op.Int("axis", 0)}, {"reduction", reduction}});
}

Status ImportScatterNd(OnnxOp& op) {
  GE_ASSIGN(const std::string reduction, Reduction(op));
  AttrList attrs;
  if (reduction == "mul") attrs = {{"reduction", reduction}};
  const std::string_view type = reduction == "add"   ? "TensorScatterAdd"
                                : reduction == "max" ? "TensorScatterMax"
                                : reduction == "min" ? "TensorScatterMin"
                                                     : "TensorScatterUpdate";
  return op.EmitAs0(type, {op.input(0), op.input(1), op.input(2)}, std::move(attrs));
}

GE_ONNX_OP("Gather", ImportGather);
GE_ONNX_OP("GatherND", ImportGatherNd);
GE_ONNX_OP("GatherElements", ImportGatherElements);
GE_ONNX_OP("Compress", ImportCompress);
GE_ONNX_OP("Scatter", ImportScatterElements);
GE_ONNX_OP("ScatterElements", ImportScatterElements);
GE_ONNX_OP("ScatterND", ImportScatterNd);

}  // namespace
}  // namespace ge::onnx
