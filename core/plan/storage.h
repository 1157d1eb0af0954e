#pragma once

#include <cstdint>
#include <optional>

#include "ir/graph.h"

namespace ge {

// The memory of a value: from `offset` bytes on in that of `root`, or its own.
struct Storage {
  Value root;
  uint64_t offset = 0;
};

// What output `output` of `node` is a view of, if the node needs no kernel: a reshaped input, or,
// with `parts`, one run of elements of an input.
std::optional<Storage> ViewedBy(const Node& node, size_t output, bool parts);

// Follows views to what they look at.
Storage StorageOf(Value value, bool parts);

// Whether output 0 of `node` may be where its input `i` is: the kernel reads each element before it
// writes it.
bool MayOverwrite(const Node& node, size_t i);

}  // namespace ge
