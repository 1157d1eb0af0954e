#pragma once

#include <string>
#include <string_view>

#include "ir/graph.h"

namespace ge {

// The attribute of a node that an operator in Python computes: the name of its kernel among those
// of the model, empty as long as it has not been built.
inline constexpr std::string_view kKernelNameAttr = "_kernelname";

// nullptr when the node is none of these.
inline const std::string* KernelNameOf(const Node& node) {
  return node.attrs().Get<std::string>(kKernelNameAttr);
}

// A kernel as the model stores it: docs/kernel-format.md.
struct StoredKernel {
  std::string name;
  std::string text;
};

}  // namespace ge
