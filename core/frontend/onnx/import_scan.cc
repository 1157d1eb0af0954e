// Scan -> While (loop.h).
//
// In opset 8 axis 0 of every input and output is a batch; there is one While per sample then.
#include "frontend/onnx/formula.h"
#include "frontend/onnx/loop.h"
#include "ops/infer_rules.h"

namespace ge::onnx {
namespace {

constexpr int64_t kMaxSamples = 256;

Result<std::vector<ScanPort>> ScanPorts(const OnnxOp& op, size_t count, const std::string& what) {
  const bool batched = op.opset() < 9;
  const std::string name = batched ? "directions" : "scan_" + what + "_directions";
  if (batched && what == "output") return std::vector<ScanPort>(count);
  const std::vector<int64_t> axes = op.Ints("scan_" + what + "_axes");
  const std::vector<int64_t> directions = op.Ints(name);
  if ((!axes.empty() && axes.size() != count) ||
      (!directions.empty() && directions.size() != count)) {
    return op.Fail("scan_" + what + "_axes and " + name + " need " + std::to_string(count) +
                   " elements");
  }
  std::vector<ScanPort> ports(count);
  for (size_t i = 0; i < count; ++i) {
    if (!axes.empty()) ports[i].axis = axes[i];
    if (!directions.empty()) ports[i].backward = directions[i] != 0;
  }
  return ports;
}

// Number of iterations: the dim of the first scanned input.
Result<Value> TripsOf(OnnxOp& op, Value scanned, int64_t axis) {
  const Shape& shape = scanned.desc().shape;
  if (!shape.unknown_rank()) {
    const std::optional<size_t> from_front = NormalizeAxis(axis, shape.rank());
    if (!from_front)
      return op.Fail("scan_input_axes names axis " + std::to_string(axis) + " of " +
                     shape.ToString());
    if (shape[*from_front] >= 0) {
      return op.ConstScalar(static_cast<double>(shape[*from_front]), DataType::kInt64);
    }
  }
  GE_ASSIGN(const Value dims, op.EmitHelper("Shape", {scanned}, {{"dtype", int64_t{9}}}));
  return op.EmitHelper("GatherV2",
                       {dims, op.ConstScalar(static_cast<double>(axis), DataType::kInt64),
                        op.ConstScalar(0, DataType::kInt32)},
                       {{"negative_index_support", true}});
}

// The size of the batch, which is axis 0 of every input.
Result<int64_t> SamplesOf(const OnnxOp& op, const LoopSource& source) {
  int64_t samples = kUnknownDim;
  for (const std::vector<Value>* values : {&source.states, &source.scanned}) {
    for (const Value value : *values) {
      const Shape& shape = value.desc().shape;
      if (shape.unknown_rank()) continue;
      const std::optional<int64_t> both =
          shape.rank() == 0 ? std::nullopt : MergeDims(samples, shape[0]);
      if (!both) return op.Fail("axis 0 of its inputs is not one batch");
      samples = *both;
    }
  }
  if (samples >= 1 && samples <= kMaxSamples) return samples;
  return op.Unsupported("a batch of " +
                        (samples == kUnknownDim ? "unknown size" : std::to_string(samples)) +
                        " in opset 8; 1 to " + std::to_string(kMaxSamples) + " are built");
}

// `source` once per sample of the batch.
Status ImportBatchedScan(OnnxOp& op, const LoopSource& source) {
  GE_ASSIGN(const int64_t samples, SamplesOf(op, source));
  Formula f(op);
  std::vector<std::vector<Value>> collected(op.output_count());
  for (int64_t sample = 0; sample < samples; ++sample) {
    LoopSource one = source;
    const Value index = f.Scalar(static_cast<double>(sample), DataType::kInt64);
    for (std::vector<Value>* values : {&one.states, &one.scanned}) {
      for (Value& value : *values) value = f.Gather(value, index, 0);
    }
    GE_TRY(f.status());
    GE_ASSIGN(one.trips, TripsOf(op, one.scanned[0], 0));
    GE_ASSIGN(const std::vector<Value> outputs, EmitWhile(op, std::move(one)));
    if (outputs.empty()) return op.Poison();
    for (size_t i = 0; i < outputs.size(); ++i) {
      collected[i].push_back(f.Unsqueeze(outputs[i], {0}));
    }
  }
  for (size_t i = 0; i < collected.size(); ++i) {
    const bool alone = collected[i].size() == 1;
    const Value whole = alone ? collected[i][0] : f.Concat(std::move(collected[i]), 0);
    op.SetOutput(i, whole);
  }
  return f.status();
}

Status ImportScan(OnnxOp& op) {
  const Graph* body = op.GraphAttr("body");
  if (body == nullptr) return op.Fail("it needs a body");
  const size_t first = op.opset() < 9 ? 1 : 0;  // behind sequence_lens
  if (first == 1 && op.has_input(0)) {
    return op.Unsupported("input sequence_lens; sequences of one length are built");
  }
  const size_t inputs = op.input_count() - std::min(op.input_count(), first);
  const int64_t scanned = op.Int("num_scan_inputs", 0);
  if (scanned < 1 || static_cast<size_t>(scanned) > inputs) {
    return op.Fail("num_scan_inputs is " + std::to_string(scanned) +
                   "; 1 to the number of inputs, " + std::to_string(inputs) + ", are accepted");
  }
  LoopSource source;
  source.body = body;
  source.is_scan = true;
  const size_t states = inputs - static_cast<size_t>(scanned);
  for (size_t i = 0; i < inputs; ++i) {
    if (!op.has_input(i + first)) {
      return op.Fail("input " + std::to_string(i + first) + " is missing");
    }
    (i < states ? source.states : source.scanned).push_back(op.input(i + first));
  }
  if (body->outputs.size() < states || body->outputs.size() < op.output_count()) {
    return op.Fail("its body has " + std::to_string(body->outputs.size()) + " outputs, the node " +
                   std::to_string(op.output_count()));
  }
  GE_ASSIGN(source.scanned_ports, ScanPorts(op, source.scanned.size(), "input"));
  GE_ASSIGN(source.collected, ScanPorts(op, body->outputs.size() - states, "output"));
  source.condition = op.ConstScalar(1, DataType::kBool);
  if (first == 1) return ImportBatchedScan(op, source);
  GE_ASSIGN(source.trips, TripsOf(op, source.scanned[0], source.scanned_ports[0].axis));
  GE_ASSIGN(const std::vector<Value> outputs, EmitWhile(op, std::move(source)));
  return SetLoopOutputs(op, outputs);
}

GE_ONNX_OP("Scan", ImportScan);

}  // namespace
}  // namespace ge::onnx
