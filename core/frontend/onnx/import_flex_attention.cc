// FlexAttention of domain ai.onnx.preview: prob_mod(softmax(score_mod(scale * Q @ transposed K))) @
// V for every head, where the two functions are graphs that the node brings.
//
//   Q [batch, q_heads, q_len, size]    K, V [batch, kv_heads, kv_len, size or v_size]
//
// The functions see softmax_precision: by default float64 for float64, else float32.
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/attention.h"
#include "frontend/onnx/builder.h"

namespace ge::onnx {
namespace {

// The graph that attribute `name` holds, applied to x; x itself without one.
Result<Value> Apply(Formula& f, std::string_view name, Value x) {
  OnnxOp& op = f.op();
  const Graph* graph = op.GraphAttr(name);
  if (graph == nullptr || !x) return x;
  if (graph->inputs.size() != 1 || graph->outputs.size() != 1) {
    return op.Fail(std::string(name) + " has " + std::to_string(graph->inputs.size()) +
                   " inputs and " + std::to_string(graph->outputs.size()) +
                   " outputs; one each is accepted");
  }
  GraphBuilder& builder = op.builder();
  Names names;
  names.outer = &builder.names();
  names.opsets = builder.names().opsets;
  names.prefix = op.name() + "/";
  names.depth = builder.names().depth + 1;
  for (const Tensor& tensor : graph->initializers) names.initializers.Insert(tensor.name, &tensor);
  names.values.Insert(graph->inputs[0].name, x);
  GE_TRY(builder.ImportNodes(graph->nodes, {graph->outputs[0].name}, names));
  const GraphBuilder::Lookup found = builder.Find(graph->outputs[0].name, names);
  if (found.state == GraphBuilder::Lookup::kFound) {
    if (found.value.desc().dtype == x.desc().dtype) return found.value;
    return op.Fail(std::string(name) + " gives " + std::string(UserName(found.value.desc().dtype)) +
                   " for " + std::string(UserName(x.desc().dtype)) +
                   "; the same dtype is accepted");
  }
  if (found.state == GraphBuilder::Lookup::kPoisoned) return kPoison;
  return op.Fail("the output of " + std::string(name) + " is produced by no node");
}

Result<DataType> Precision(const OnnxOp& op) {
  const bool is_double = op.desc(0).dtype == DataType::kDouble;
  if (!op.HasAttr("softmax_precision")) return is_double ? DataType::kDouble : DataType::kFloat;
  const int64_t number = op.Int("softmax_precision", 1);
  const DataType dtype =
      number > 0 && number < 256 ? DataTypeOf(static_cast<int32_t>(number)) : DataType::kUndefined;
  if (IsFloat(dtype) && RowOf(dtype).bits >= 16) return dtype;
  return op.Fail("softmax_precision is " + std::to_string(number) +
                 "; 1, 10, 11 and 16 are accepted");
}

Status ImportFlexAttention(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats));
  for (size_t i = 0; i < 3; ++i) {
    if (op.shape(i).unknown_rank()) return op.Unsupported("inputs of unknown rank");
    if (op.shape(i).rank() == 4) continue;
    return op.Fail("input " + std::to_string(i) + " has shape " + op.shape(i).ToString() +
                   "; 4 dims are accepted");
  }
  GE_TRY(CheckHeads(op, op.shape(0), op.shape(1)));
  GE_ASSIGN(const DataType precision, Precision(op));
  Formula f(op);
  Value scores = f.Cast(ProductPerHead(f, op.input(0), op.input(1), true), precision);
  scores = f("Mul", {scores, f.Cast(HeadScale(f, op.input(0), ScaleOf(op), 1.0), precision)});
  GE_ASSIGN(scores, Apply(f, "score_mod", scores));
  if (scores == kPoison) return op.Poison();
  Value weights = f("SoftmaxV2", {scores}, {{"axes", std::vector<int64_t>{-1}}});
  GE_ASSIGN(weights, Apply(f, "prob_mod", weights));
  if (weights == kPoison) return op.Poison();
  const Value y = ProductPerHead(f, f.Cast(weights, op.desc(2).dtype), op.input(2), false);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_DOMAIN_OP("ai.onnx.preview", "FlexAttention", ImportFlexAttention);

}  // namespace
}  // namespace ge::onnx
