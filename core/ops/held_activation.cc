#include "ops/held_activation.h"

#include <algorithm>
#include <span>
#include <string>

#include "kernels/dispatch.h"
#include "ops/op_impl.h"

namespace ge {
namespace {

constexpr std::string_view kProducts[] = {"BatchMatMulV2", "Conv2D",          "Conv2DTranspose",
                                          "Conv3D",        "Conv3DTranspose", "MatMulV2"};

// Inputs behind the first are numbers.
struct Activation {
  std::string_view type;
  std::span<const std::string_view> numbers = {};
};
constexpr std::string_view kBounds[] = {"clip_value_min", "clip_value_max"};
constexpr Activation kActivations[] = {
    {"ClipByValue", kBounds},
    {"Elu"},
    {"HardSigmoid"},
    {"HardSwish"},
    {"LeakyRelu"},
    {"Relu"},
    {"Selu"},
    {"Sigmoid"},
    {"Softplus"},
    {"Softsign"},
    {"Swish"},
    {"Tanh"},
    {"ThresholdedRelu"},
};

const Activation* FindActivation(std::string_view type) {
  const auto* found = std::ranges::find(kActivations, type, &Activation::type);
  return found != std::end(kActivations) ? found : nullptr;
}

std::string ParameterName(std::string_view name) {
  return std::string(kHeldActivation) + "." + std::string(name);
}

// Whether a number of this dtype is a float32 too, as attributes are.
bool FitsAttr(DataType dtype) {
  return dtype == DataType::kFloat || dtype == DataType::kFloat16 || dtype == DataType::kBf16;
}

bool IsProduct(const Node& node) {
  return std::ranges::find(kProducts, node.type()) != std::end(kProducts) &&
         node.output_count() == 1 && FitsAttr(node.output(0).dtype);
}

bool IsNumber(Value value, DataType dtype) {
  return value && value.node->is_const() && value.desc().dtype == dtype &&
         value.desc().shape.elements() == 1;
}

Value AddNumber(Graph& graph, const std::string& name, float number, DataType dtype) {
  std::vector<uint8_t> bytes;
  VisitFloats(dtype, [&]<typename T>(T) {
    const T value = static_cast<T>(number);
    const auto* first = reinterpret_cast<const uint8_t*>(&value);
    bytes.assign(first, first + sizeof(T));
  });
  return graph.AddConst(name, {dtype, Format::kND, Shape{}}, Buffer::Own(std::move(bytes)))->out();
}

}  // namespace

bool MayHold(const Node& product, const Node& activation) {
  const Activation* known = FindActivation(activation.type());
  if (known == nullptr || !IsProduct(product) || product.attrs().Find(kHeldActivation) ||
      activation.input_count() != 1 + known->numbers.size() ||
      FindOpImpl(activation.type())->pointwise == Pointwise::kNo) {
    return false;
  }
  for (size_t i = 1; i < activation.input_count(); ++i) {
    if (!IsNumber(activation.input(i), product.output(0).dtype)) return false;
  }
  return std::ranges::all_of(activation.attrs(), [](const auto& attr) {
    return std::holds_alternative<float>(attr.second);
  });
}

void Hold(Node& product, const Node& activation) {
  product.attrs().Set(kHeldActivation, activation.type());
  for (const auto& [name, value] : activation.attrs()) {
    product.attrs().Set(ParameterName(name), value);
  }
  size_t input = 0;
  for (const std::string_view name : FindActivation(activation.type())->numbers) {
    const double number = ConstDoubles(activation.input(++input))->front();
    product.attrs().Set(ParameterName(name), static_cast<float>(number));
  }
}

Node* Release(Node& node) {
  const auto* type = node.attrs().Get<std::string>(kHeldActivation);
  const Activation* known = type != nullptr ? FindActivation(*type) : nullptr;
  if (known == nullptr || !IsProduct(node)) return nullptr;
  Graph& graph = node.graph();
  Node* activation = graph.Add(known->type, node.source_names().back(), {});
  graph.ReplaceUses(node.out(), activation->out());
  activation->AddInput(node.out());
  activation->output(0) = node.output(0);
  const std::string prefix = ParameterName("");
  const AttrMap held = node.attrs();
  node.attrs().Remove(kHeldActivation);
  for (const auto& [name, value] : held) {
    if (!name.starts_with(prefix)) continue;
    if (!std::holds_alternative<float>(value)) return nullptr;
    node.attrs().Remove(name);
    activation->attrs().Set(name.substr(prefix.size()), value);
  }
  for (const std::string_view name : known->numbers) {
    const float* number = activation->attrs().Get<float>(name);
    if (number == nullptr) return nullptr;
    activation->AddInput(AddNumber(graph, activation->name() + "/" + std::string(name), *number,
                                   node.output(0).dtype));
    activation->attrs().Remove(name);
  }
  return activation;
}

}  // namespace ge
