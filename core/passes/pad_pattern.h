#pragma once

#include <optional>
#include <vector>

#include "passes/pattern.h"

namespace ge {

// A PadV3 of spatial axes, in front of an operator with sliding windows.
struct PadPattern {
  Node* pad = nullptr;
  Node* unsqueeze = nullptr;   // of a 1-D operator, between the two; null: none
  std::vector<int64_t> added;  // elements before and after each spatial axis of the operator
};

// The PadV3 that gives `value`, the input of an operator whose axes are N, C and `spatial` more. It
// adds a constant `fill`, takes nothing away, and leaves N and C alone.
std::optional<PadPattern> FindPad(Value value, size_t spatial, double fill);

// Takes the padding over: input `index` of `node` reads what is padded, and the attribute pads
// grows.  False, with nothing changed, when the shape rule refuses such pads.
Result<bool> TakePad(const PadPattern& pattern, Node& node, size_t index, Removal& removal);

// Whether the attribute pads of `node` says all about its padding.
bool HasExplicitPads(const Node& node);

}  // namespace ge
