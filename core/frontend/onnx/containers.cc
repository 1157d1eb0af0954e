#include "frontend/onnx/containers.h"

#include <algorithm>
#include <utility>

namespace ge::onnx {
namespace {

// Of all sequences together: each insertion makes a new sequence.
constexpr size_t kMaxElements = size_t{1} << 22;

constexpr std::string_view kTakers[] = {
    "ConcatFromSequence", "Identity",    "Optional",      "OptionalGetElement",
    "OptionalHasElement", "SequenceAt",  "SequenceErase", "SequenceInsert",
    "SequenceLength",     "SequenceMap",
};

}  // namespace

Value Containers::Sequence(std::vector<Value> elements) {
  if (elements.size() > kMaxElements - elements_) return {};
  elements_ += elements.size();
  sequences_.push_back(std::move(elements));
  return graph_.Add("Sequence", "Sequence", {})->out();
}

Value Containers::EmptyOptional() {
  sequences_.emplace_back();
  return graph_.Add("EmptyOptional", "EmptyOptional", {})->out();
}

const std::vector<Value>* Containers::Elements(Value value) const {
  if (!Holds(value) || value.node->type() != "Sequence") return nullptr;
  return &sequences_[value.node->index()];
}

bool TakesContainers(const Node& node) {
  return node.domain.empty() &&
         std::find(std::begin(kTakers), std::end(kTakers), node.op_type) != std::end(kTakers);
}

}  // namespace ge::onnx
