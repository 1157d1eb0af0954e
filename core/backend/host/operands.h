#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>

#include "backend/host/program.h"

// What rewrites of a program ask about operands.
namespace ge::host {

// Bytes of the arena.
struct ArenaSpan {
  uint64_t begin = 0, end = 0;
  bool operator==(const ArenaSpan&) const = default;
  bool Meets(const ArenaSpan& other) const { return begin < other.end && other.begin < end; }
};

// Of an operand in the arena.
inline ArenaSpan SpanOf(const Operand& operand) {
  return {operand.offset, operand.offset + static_cast<uint64_t>(*BytesOf(*operand.desc))};
}

inline bool IsByteConv(const Step& step) {
  return step.node->type() == "Conv2D" && IsByte(step.inputs[0].desc->dtype);
}

// How a step works whose operands are known: one that goes by numbers is element by element only
// where these are single.
inline Pointwise PointwiseOf(const Step& step) {
  if (step.impl->pointwise != Pointwise::kByNumbers) return step.impl->pointwise;
  const auto is_single = [](const Operand& operand) {
    return operand.kind == Operand::kNone || operand.desc->shape.elements() == 1;
  };
  return std::all_of(step.inputs.begin() + 1, step.inputs.end(), is_single) ? Pointwise::kBroadcast
                                                                            : Pointwise::kNo;
}

// Numbers the tensors in the arena that nothing but kernels of the program reads.
class TensorIds {
 public:
  static constexpr size_t kUnknown = SIZE_MAX;

  explicit TensorIds(const Program& program);
  size_t size() const { return ids_.size(); }
  // kUnknown for any other value.
  size_t Find(Value value) const {
    const auto found = ids_.find({value.node, value.index});
    return found != ids_.end() ? found->second : kUnknown;
  }

 private:
  std::map<std::pair<const Node*, int32_t>, size_t> ids_;
};

}  // namespace ge::host
