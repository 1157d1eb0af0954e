#pragma once

#include <cstdint>
#include <optional>

#include "ir/graph.h"

namespace ge {

// A tensor that is one run of elements of an input of its node.
struct Part {
  size_t input;
  int64_t first;  // element of the input
};

// What output `output` is a part of: where a slice, a split, an index or a transpose of axes of
// length 1 takes elements that follow each other.  nullopt as well when that depends on values or
// sizes that are not constant.
std::optional<Part> PartOf(const Node& node, size_t output);

}  // namespace ge
