#include "passes/shape_values.h"

#include <algorithm>

#include "ops/op_impl.h"

namespace ge {
namespace {

using Element = ShapeValues::Element;
using Elements = std::vector<Element>;
constexpr int64_t kMost = 64;  // elements that are looked at

bool IsShapeLike(const TensorDesc& desc) {
  if (desc.dtype != DataType::kInt64 && desc.dtype != DataType::kInt32) return false;
  const std::optional<int64_t> elements = desc.shape.elements();
  return elements && *elements <= kMost && desc.shape.rank() <= 1;
}

Element Number(int64_t number) {
  return {.kind = Element::kNumber, .number = number, .tensor = {}};
}

// The input whose axis `*axis` has the size of that axis of the result; null when none is known.
// `*axis` becomes the axis of the input.
Value SameSize(const Node& node, size_t* axis) {
  const OpImpl* impl = FindOpImpl(node.type());
  if (node.type() == "Transpose") {
    const std::optional<std::vector<int64_t>> order = ConstInts(node.input(1));
    if (!order) return {};
    const int64_t given = (*order)[*axis];
    *axis = static_cast<size_t>(given < 0 ? given + static_cast<int64_t>(order->size()) : given);
    return node.input(0);
  }
  if (node.type() == "SoftmaxV2" || node.type() == "LayerNorm" || node.type() == "BNInfer") {
    return node.input(0);
  }
  if (impl == nullptr || impl->pointwise != Pointwise::kBroadcast) return {};
  Value found;
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (!input || (input.node->is_const() && input.desc().shape.elements() == 1)) continue;
    if (found || input.desc().shape.unknown_rank()) return {};
    found = input;
  }
  const bool same_rank = found && found.desc().shape.rank() == node.output(0).shape.rank() &&
                         *axis < found.desc().shape.rank();
  return same_rank ? found : Value{};
}

std::optional<Elements> Gathered(const Elements& x, const Node& gather) {
  const std::optional<std::vector<int64_t>> indices = ConstInts(gather.input(1));
  if (!indices || AttrReader(gather).Int("batch_dims") != 0) return std::nullopt;
  Elements result;
  for (int64_t index : *indices) {
    const int64_t size = static_cast<int64_t>(x.size());
    if (index < 0) index += size;
    if (index < 0 || index >= size) return std::nullopt;
    result.push_back(x[static_cast<size_t>(index)]);
  }
  return result;
}

std::optional<Elements> Sliced(const Elements& x, const Node& slice) {
  const auto number = [&](size_t i, int64_t missing) -> std::optional<int64_t> {
    if (!slice.input(i)) return missing;
    const std::optional<std::vector<int64_t>> list = ConstInts(slice.input(i));
    return list && list->size() == 1 ? std::optional(list->front()) : std::nullopt;
  };
  const auto begin = number(1, 0), end = number(2, 0), axis = number(3, 0), step = number(4, 1);
  if (!begin || !end || !axis || step != 1) return std::nullopt;
  const int64_t size = static_cast<int64_t>(x.size());
  const auto clamped = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size);
  };
  const int64_t from = clamped(*begin), to = std::max(clamped(*end), clamped(*begin));
  return Elements(x.begin() + from, x.begin() + to);
}

std::optional<int64_t> Compute(std::string_view type, int64_t a, int64_t b) {
  int64_t result = 0;
  bool overflow = false;
  if (type == "Add") {
    overflow = __builtin_add_overflow(a, b, &result);
  } else if (type == "Sub") {
    overflow = __builtin_sub_overflow(a, b, &result);
  } else if (type == "Mul") {
    overflow = __builtin_mul_overflow(a, b, &result);
  } else if (type == "Div" && a >= 0 && b > 0) {
    result = a / b;
  } else {
    return std::nullopt;
  }
  return overflow ? std::nullopt : std::optional(result);
}

// Element by element; a product with 1 and a sum with 0 keep what is not a number.
std::optional<Elements> Computed(std::string_view type, const Elements& a, const Elements& b) {
  const size_t count = std::max(a.size(), b.size());
  if ((a.size() != count && a.size() != 1) || (b.size() != count && b.size() != 1)) {
    return std::nullopt;
  }
  Elements result;
  for (size_t i = 0; i < count; ++i) {
    const Element& x = a[a.size() == 1 ? 0 : i];
    const Element& y = b[b.size() == 1 ? 0 : i];
    Element element;
    if (x.kind == Element::kNumber && y.kind == Element::kNumber) {
      if (const std::optional<int64_t> number = Compute(type, x.number, y.number)) {
        element = Number(*number);
      }
    } else if ((type == "Mul" || type == "Div") && y == Number(1)) {
      element = x;
    } else if ((type == "Add" || type == "Sub") && y == Number(0)) {
      element = x;
    } else if ((type == "Mul" && x == Number(1)) || (type == "Add" && x == Number(0))) {
      element = y;
    }
    result.push_back(element);
  }
  return result;
}

}  // namespace

Element ShapeValues::DimOf(Value tensor, size_t axis) {
  while (true) {
    const Shape& shape = tensor.desc().shape;
    if (shape.unknown_rank() || axis >= shape.rank()) return {};
    if (shape[axis] != kUnknownDim) return Number(shape[axis]);
    const Value source = tensor.index == 0 ? SameSize(*tensor.node, &axis) : Value{};
    if (!source) break;
    tensor = source;
  }
  return {.kind = Element::kDim, .number = static_cast<int64_t>(axis), .tensor = tensor};
}

void ShapeValues::Visit(Node& node) {
  if (node.output_count() != 1 || !IsShapeLike(node.output(0))) return;
  const std::string& type = node.type();
  if (node.is_const()) {
    Elements elements;
    const std::vector<int64_t> numbers = *ConstInts(node.out());
    for (const int64_t number : numbers) elements.push_back(Number(number));
    known_.emplace(&node, std::move(elements));
    return;
  }
  if (type == "Shape") {
    const Value x = node.input(0);
    if (x.desc().shape.unknown_rank()) return;
    Elements elements;
    for (size_t axis = 0; axis < x.desc().shape.rank(); ++axis) {
      elements.push_back(DimOf(x, axis));
    }
    known_.emplace(&node, std::move(elements));
    return;
  }
  std::vector<const Elements*> inputs;
  for (size_t i = 0; i < node.input_count(); ++i) inputs.push_back(Find(node.input(i)));
  if (inputs.empty() || inputs[0] == nullptr) return;
  const OpImpl* impl = FindOpImpl(type);
  std::optional<Elements> result;
  if (type == "Cast" || (impl != nullptr && impl->view && type != "Bitcast")) {
    result = *inputs[0];
  } else if (type == "ConcatD") {
    result.emplace();
    for (const Elements* part : inputs) {
      if (part == nullptr) return;
      result->insert(result->end(), part->begin(), part->end());
    }
  } else if (type == "GatherV2") {
    result = Gathered(*inputs[0], node);
  } else if (type == "StridedSliceV2") {
    result = Sliced(*inputs[0], node);
  } else if (inputs.size() == 2 && inputs[1] != nullptr) {
    result = Computed(type, *inputs[0], *inputs[1]);
  }
  const std::optional<int64_t> count = node.output(0).shape.elements();
  if (!result || static_cast<int64_t>(result->size()) != *count) return;
  for (Element& element : *result) {
    const bool wraps = node.output(0).dtype == DataType::kInt32 &&
                       element.number != static_cast<int32_t>(element.number);
    if (wraps) element = {};
  }
  known_.emplace(&node, std::move(*result));
}

const std::vector<Element>* ShapeValues::Find(Value value) const {
  if (!value || value.index != 0) return nullptr;
  const auto found = known_.find(value.node);
  return found == known_.end() ? nullptr : &found->second;
}

std::optional<std::vector<int64_t>> ShapeValues::Numbers(Value value) const {
  const std::vector<Element>* elements = Find(value);
  if (elements == nullptr) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Element& element : *elements) {
    if (element.kind != Element::kNumber) return std::nullopt;
    numbers.push_back(element.number);
  }
  return numbers;
}

}  // namespace ge
