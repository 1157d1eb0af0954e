#include "passes/pattern.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "ops/op_impl.h"

namespace ge {
namespace {

// How far a constant may be from the number it stands for, relative to it.
double RoundingOf(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat16:
      return 0x1p-11;
    case DataType::kBf16:
      return 0x1p-8;
    case DataType::kDouble:
      return 0x1p-22;  // exporters write float32 numbers into float64 networks
    default:
      return 0x1p-22;
  }
}

}  // namespace

Node* MadeBy(Value value, std::string_view type) {
  return value && value.index == 0 && value.node->type() == type ? value.node : nullptr;
}

Node* OnlyReaderOfType(Node& node, std::string_view type) {
  Node* reader = OnlyReader(node.out());
  return reader != nullptr && reader->type() == type ? reader : nullptr;
}

std::optional<double> ScalarOf(Value value) {
  if (!value || !value.node->is_const() || value.desc().shape.elements() != 1) return std::nullopt;
  const std::optional<std::vector<double>> numbers = ConstDoubles(value);
  return numbers ? std::optional(numbers->front()) : std::nullopt;
}

bool IsScalar(Value value, double expected) {
  const std::optional<double> number = ScalarOf(value);
  return number &&
         std::fabs(*number - expected) <= std::fabs(expected) * RoundingOf(value.desc().dtype);
}

Value Beside(const Node& node, Value one) {
  if (node.input(0) == one) return node.input(1);
  return node.input(1) == one ? node.input(0) : Value{};
}

Value BesideScalar(const Node* node, std::string_view type, double expected) {
  if (node == nullptr || node->type() != type) return {};
  if (IsScalar(node->input(1), expected)) return node->input(0);
  return IsScalar(node->input(0), expected) ? node->input(1) : Value{};
}

Value ScaledBy(Value value, double number) {
  if (const Node* quotient = MadeBy(value, "RealDiv")) {
    return IsScalar(quotient->input(1), 1 / number) ? quotient->input(0) : Value{};
  }
  return BesideScalar(MadeBy(value, "Mul"), "Mul", number);
}

std::optional<std::vector<size_t>> KeptAxes(const Node* node, std::string_view type) {
  if (node == nullptr || node->type() != type || !AttrReader(*node).Bool("keep_dims")) {
    return std::nullopt;
  }
  const std::optional<std::vector<int64_t>> list = ConstInts(node->input(1));
  const Shape& x = node->input(0).desc().shape;
  if (!list || list->empty() || x.unknown_rank()) return std::nullopt;
  std::vector<size_t> axes;
  for (const int64_t axis : *list) axes.push_back(*NormalizeAxis(axis, x.rank()));
  std::sort(axes.begin(), axes.end());
  axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
  return axes;
}

bool Takes(std::string_view type, DataType dtype) {
  const std::string_view list = OpRow(type).Find("inputs")[0].Find("dtypes").AsString();
  const std::string_view name = RowOf(dtype).short_name;
  for (size_t at = list.find(name); at != std::string_view::npos; at = list.find(name, at + 1)) {
    const size_t end = at + name.size();
    if ((at == 0 || list[at - 1] == ',') && (end == list.size() || list[end] == ',')) return true;
  }
  return false;
}

Node* ReplaceParts(Removal& removal, const std::vector<Node*>& parts, std::string_view type,
                   const std::vector<Value>& inputs, size_t outputs) {
  Node& end = *parts.back();
  Graph& graph = end.graph();
  Node* node = graph.Add(type, end.name() + "/" + std::string(type), inputs, outputs);
  node->output(0) = end.output(0);
  node->AddSourceName(parts.front()->source_name());
  for (const Node* part : parts) removal.TakeNames(*node, *part);
  graph.ReplaceUses(end.out(), node->out());
  removal.Add(end);
  return node;
}

}  // namespace ge
