#include "precision/range.h"

#include <algorithm>
#include <optional>

#include "kernels/narrow.h"
#include "ops/op_impl.h"
#include "precision/op_precision.h"

namespace ge {
namespace {

// Longer ways from a large value to an operator that brings it back are not followed.
constexpr size_t kMostKept = 24;

bool IsOneOf(std::string_view type, std::initializer_list<std::string_view> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool IsFloat32(Value value) {
  return value && value.desc().dtype == DataType::kFloat;
}

// The exponent of a Pow when it is one constant number.
std::optional<double> Exponent(const Node& node) {
  if (node.type() != "Pow" || !node.input(1)) return std::nullopt;
  const std::optional<int64_t> elements = node.input(1).desc().shape.elements();
  if (elements != 1) return std::nullopt;
  const std::optional<std::vector<double>> values = ConstDoubles(node.input(1));
  return values ? std::optional(values->front()) : std::nullopt;
}

kernels::NarrowLoss LossInFp16(Value value) {
  if (!IsFloat32(value) || !value.node->is_const()) return {};
  const Buffer& bytes = value.node->value();
  const auto count = static_cast<int64_t>(bytes.size() / sizeof(float));
  kernels::NarrowLoss loss =
      kernels::LossOf(DataType::kFloat, bytes.bytes().data(), DataType::kFloat16, count);
  if (count != 1) loss.vanished = 0;  // one small number of many matters little
  return loss;
}

// Whether a matrix product or a convolution of integers gives `value`.
bool IsIntegerSum(Value value) {
  while (IsInteger(value.desc().dtype) && IsOneOf(value.node->type(), {"Add", "Sub"})) {
    value = value.node->input(value.node->input(0).node->is_const() ? 1 : 0);
  }
  return IsInteger(value.desc().dtype) && IsMatrixOp(value.node->type());
}

// Why results of a node are not safe in float16 although its operands are.
enum class Risk { kNone, kLarge, kSmall };

Risk RiskOf(const Node& node) {
  if (node.output_count() != 1 || node.output(0).dtype != DataType::kFloat) return Risk::kNone;
  const std::string& type = node.type();
  if (type == "Cast") return IsIntegerSum(node.input(0)) ? Risk::kLarge : Risk::kNone;
  if (IsOneOf(type,
              {"Cosh", "Cumprod", "Exp", "Expm1", "ReduceProd", "Sinh", "Square", "SquareSumV1"})) {
    return Risk::kLarge;
  }
  if (type == "Mul" && node.input(0) == node.input(1)) return Risk::kLarge;
  if (type == "Pow") return Exponent(node).value_or(0) > 1 ? Risk::kLarge : Risk::kNone;
  if (!IsOneOf(type, {"Add", "Sub", "Mul", "RealDiv"})) return Risk::kNone;
  const kernels::NarrowLoss first = LossInFp16(node.input(0)), second = LossInFp16(node.input(1));
  if (first.beyond + second.beyond != 0) return Risk::kLarge;
  return first.vanished + second.vanished != 0 ? Risk::kSmall : Risk::kNone;
}

// Whether a reader hands an unsafe value on, in its own results.
bool HandsOn(const Use& use) {
  const Node& reader = *use.node;
  if (reader.output_count() != 1) return false;
  const OpImpl* impl = FindOpImpl(reader.type());
  if (impl != nullptr && impl->view) return use.input == 0 && reader.type() != "Bitcast";
  if (reader.type() == "Pow") return use.input == 0 && Exponent(reader).value_or(0) >= 1;
  return IsOneOf(
      reader.type(),
      {"Abs",      "AccumulateNV2", "Add",       "Expand",     "Maximum",   "Minimum",   "Mul",
       "Neg",      "RealDiv",       "ReduceMax", "ReduceMean", "ReduceMin", "ReduceSum", "Select",
       "SelectV2", "Square",        "Sub",       "TensorMove", "Tile",      "Transpose"});
}

// Whether a reader gives safe results whatever it reads, or takes the value as it is.
bool BringsBack(const Use& use) {
  const Node& reader = *use.node;
  if (reader.type() == "NetOutput" || reader.type() == "Cast") return true;
  if (reader.type() == "RealDiv") return use.input == 1;
  if (reader.type() == "Pow") return use.input == 0 && Exponent(reader).value_or(1) < 1;
  if (reader.output_count() == 1 && reader.output(0).dtype == DataType::kBool) return true;
  return IsOneOf(
      reader.type(),
      {"ArgMaxV2",    "ArgMin",     "Atan",        "ClipByValue",  "DynamicQuantV2",
       "Erf",         "GroupNorm",  "HardSigmoid", "InstanceNorm", "LayerNorm",
       "LayerNormV3", "Log",        "Log1p",       "LogSoftmaxV2", "MaskedSoftmaxWithRelPosBias",
       "Quantize",    "Reciprocal", "Rsqrt",       "Sigmoid",      "Sign",
       "SoftmaxV2",   "Sqrt",       "Tanh"});
}

// `root` and all readers up to those that bring the value back, these included.  Empty when some
// reader does neither.
class Collector {
 public:
  explicit Collector(const std::unordered_set<const Node*>& in_float32) : in_float32_(in_float32) {}

  std::vector<const Node*> Collect(const Node& root) {
    Add(root);
    while (const Node* node = Next()) {
      for (const Use& use : node->uses(0)) {
        const bool ends = BringsBack(use) || in_float32_.contains(use.node);
        if (!ends && (!HandsOn(use) || kept_.size() >= kMostKept)) return {};
        if (use.node->type() == "NetOutput" || use.node->type() == "Cast") continue;
        Add(*use.node);
        if (ends) done_.insert(use.node);
      }
    }
    return std::move(kept_);
  }

 private:
  void Add(const Node& node) {
    if (std::find(kept_.begin(), kept_.end(), &node) == kept_.end()) kept_.push_back(&node);
  }
  // A node whose readers are still to be looked at.  Divisions come last: what divides them may
  // turn out to be such a value, too.
  const Node* Next() {
    const Node* next = nullptr;
    for (const Node* node : kept_) {
      if (done_.contains(node)) continue;
      if (next == nullptr || next->type() == "RealDiv") next = node;
    }
    if (next != nullptr) done_.insert(next);
    return next;
  }

  const std::unordered_set<const Node*>& in_float32_;
  std::vector<const Node*> kept_;
  std::unordered_set<const Node*> done_;
};

}  // namespace

RangeRisks FindRangeRisks(const Graph& graph, const std::unordered_set<const Node*>& in_float32) {
  RangeRisks risks;
  for (const auto& node : graph.nodes()) {
    const Risk risk = RiskOf(*node);
    if (risk == Risk::kNone) continue;
    const std::vector<const Node*> kept = Collector(in_float32).Collect(*node);
    risks.keep.insert(kept.begin(), kept.end());
    if (!kept.empty() || risk != Risk::kLarge) continue;
    if (node->type() != "Cast") risks.at_risk.push_back(node.get());
    // A Cast goes when its readers are lowered.
    for (const Use& use : node->uses(0)) {
      const bool computes = use.node->output_count() != 0;
      if (node->type() == "Cast" && computes) risks.at_risk.push_back(use.node);
    }
  }
  std::erase_if(risks.at_risk, [&](const Node* node) { return risks.keep.contains(node); });
  return risks;
}

}  // namespace ge
