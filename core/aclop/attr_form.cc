#include "aclop/attr_form.h"

#include <cstring>

#include "ops/op_impl.h"

namespace ge::aclop {
namespace {

constexpr std::string_view kNoopWithoutAxes = "noop_with_empty_axes";

bool IsInteger(Table attr) {
  const std::string_view type = attr.Find("type").AsString();
  return type == "Int" || type == "ListInt";
}

// Position among the inputs of `type`, or -1.
int64_t InputIndex(const std::string& type, std::string_view name) {
  const Table inputs = OpRow(type).Find("inputs");
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].Find("name").AsString() == name) return i;
  }
  return -1;
}

Value ConstOf(Graph& graph, std::string_view name, const Attr& attr) {
  Shape shape;
  std::vector<int64_t> numbers;
  if (const auto* list = std::get_if<std::vector<int64_t>>(&attr)) {
    numbers = *list;
    shape = {static_cast<int64_t>(numbers.size())};
  } else {
    numbers = {std::get<int64_t>(attr)};
  }
  std::vector<uint8_t> bytes(numbers.size() * sizeof(int64_t));
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return graph
      .AddConst(name, {DataType::kInt64, Format::kND, shape}, Buffer::Own(std::move(bytes)))
      ->out();
}

}  // namespace

std::string InputForm(const std::string& type) {
  if (!type.ends_with('D')) return "";
  const std::string form = type.substr(0, type.size() - 1);
  if (FindOpImpl(form) == nullptr) return "";
  const Table row = OpRow(type), wanted = OpRow(form).Find("inputs");
  uint32_t taken = 0;
  for (uint32_t i = 0; i < wanted.size(); ++i) {
    const std::string_view name = wanted[i].Find("name").AsString();
    if (InputIndex(type, name) >= 0) {
      ++taken;
    } else if (!IsInteger(row.Find("attrs").Find(name))) {
      return "";
    }
  }
  return taken == row.Find("inputs").size() ? form : "";
}

void UseInputForm(const std::string& type, const std::string& input_form, Graph& graph,
                  std::vector<Value>& values, AttrMap& attrs) {
  const Table wanted = OpRow(input_form).Find("inputs");
  std::vector<Value> inputs;
  for (uint32_t i = 0; i < wanted.size(); ++i) {
    const std::string_view name = wanted[i].Find("name").AsString();
    if (const int64_t index = InputIndex(type, name); index >= 0) {
      const auto position = static_cast<size_t>(index);
      inputs.push_back(position < values.size() ? values[position] : Value{});
    } else if (const Attr* attr = attrs.Find(name)) {
      inputs.push_back(ConstOf(graph, name, *attr));
      attrs.Remove(name);
    } else {
      inputs.push_back({});
    }
  }
  values = std::move(inputs);
  // No axes mean all of them where they are an attribute.
  if (OpRow(input_form).Find("attrs").Has(kNoopWithoutAxes) &&
      attrs.Find(kNoopWithoutAxes) == nullptr) {
    attrs.Set(kNoopWithoutAxes, false);
  }
}

}  // namespace ge::aclop
