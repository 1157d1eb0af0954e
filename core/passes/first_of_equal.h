#pragma once

#include <algorithm>
#include <unordered_map>

#include "ir/graph.h"

namespace ge {

// The first of equal nodes; `AreEqual` says what that means.
template <bool (*AreEqual)(const Node&, const Node&)>
class FirstOfEqual {
 public:
  explicit FirstOfEqual(size_t nodes = 0) { kept_.reserve(nodes); }

  // The first of the nodes that were asked for and are equal, of which `hash` is the same; nullptr
  // when this is it.
  Node* Find(Node& node, size_t hash) {
    const auto [begin, end] = kept_.equal_range(hash);
    const auto same =
        std::find_if(begin, end, [&](const auto& entry) { return AreEqual(*entry.second, node); });
    if (same != end) return same->second;
    kept_.emplace(hash, &node);
    return nullptr;
  }

 private:
  std::unordered_multimap<size_t, Node*> kept_;
};

}  // namespace ge
