#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"

namespace ge {

// What is known of the elements of small integer tensors, of which shapes are made, beyond whole
// constants: the dims of a tensor are known one by one, and two of unknown size may be the same.
class ShapeValues {
 public:
  struct Element {
    enum Kind : uint8_t { kUnknown, kNumber, kDim } kind = kUnknown;
    int64_t number = 0;  // kNumber
    Value tensor;        // kDim: size of axis `number` of this tensor, which is not known
    bool operator==(const Element&) const = default;
  };

  // Looks at a node; its producers were looked at before.
  void Visit(Node& node);
  // The elements of `value`; nullptr when nothing is known of it.
  const std::vector<Element>* Find(Value value) const;
  // The elements as numbers, when all are.
  std::optional<std::vector<int64_t>> Numbers(Value value) const;

  // The size of an axis of a tensor, traced to the tensor that it comes from.
  static Element DimOf(Value tensor, size_t axis);

 private:
  std::unordered_map<const Node*, std::vector<Element>> known_;
};

}  // namespace ge
