#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ir/graph.h"

namespace ge {

inline constexpr uint32_t kNoOutput = UINT32_MAX;
inline constexpr int64_t kUnknownBytes = -1;

// Lists of numbers, one behind the other.
class Rows {
 public:
  void Add(uint32_t value) { values_.push_back(value); }
  void EndRow() { ends_.push_back(static_cast<uint32_t>(values_.size())); }
  size_t size() const { return ends_.size() - 1; }
  std::span<const uint32_t> operator[](size_t row) const {
    return std::span(values_).subspan(ends_[row], ends_[row + 1] - ends_[row]);
  }
  // Of each number below `count` the rows that have it, as often as they have it, in order.
  Rows Inverse(size_t count) const;

 private:
  std::vector<uint32_t> ends_ = {0};
  std::vector<uint32_t> values_;
};

// A graph in numbers: what the plan asks again and again, for each order that it tries, is looked
// up once.  Nodes are numbered by Node::index(), and the outputs of all nodes in their order.
struct FlatGraph {
  enum class Role : uint8_t { kOperator, kConst, kData, kNetOutput };
  // Whose memory an output is a view of, from `offset` bytes on: its own, or that of another output
  // that is no view.
  struct Root {
    uint32_t output;
    uint64_t offset = 0;
  };

  explicit FlatGraph(const Graph& graph);

  size_t nodes() const { return roles.size(); }
  size_t outputs() const { return bytes.size(); }
  const std::vector<Root>& roots(bool parts) const { return parts ? with_parts : whole; }
  uint32_t OutputOf(Value value) const {
    return first_output[value.node->index()] + static_cast<uint32_t>(value.index);
  }

  // Of nodes.
  std::vector<Role> roles;
  std::vector<uint32_t> first_output;  // one more than nodes: the number of outputs
  Rows inputs;                         // outputs that are read; kNoOutput: left out
  Rows overwritable;                   // positions of inputs that MayOverwrite() allows
  // Of outputs.
  std::vector<int64_t> bytes;
  std::vector<uint32_t> producers;
  Rows readers;  // a node as often as it reads the output
  std::vector<Root> whole, with_parts;
  bool has_parts = false;  // some output is a part of another
};

}  // namespace ge
