// ShareConstants: constants with equal bytes, dtype and shape become one, the first of them.
//
// Few bytes of each are read: only those that agree in a sample are compared as a whole, so that
// large weights are not paged in.
#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>

#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// Dtype, shape and some bytes of a constant.
std::string SampleOf(const Node& node) {
  constexpr size_t kPieces = 8, kPieceBytes = 16;
  const TensorDesc& desc = node.output(0);
  const std::span<const uint8_t> bytes = node.value().bytes();
  std::string sample = desc.shape.ToString();
  sample += static_cast<char>(desc.dtype);
  sample += static_cast<char>(desc.format);
  const auto add = [&](size_t at, size_t count) {
    sample.append(reinterpret_cast<const char*>(bytes.data()) + at, count);
  };
  if (bytes.size() <= kPieces * kPieceBytes) {
    add(0, bytes.size());
    return sample;
  }
  for (size_t i = 0; i < kPieces; ++i) {
    add((bytes.size() - kPieceBytes) / (kPieces - 1) * i, kPieceBytes);
  }
  return sample;
}

bool AreEqual(const Node& a, const Node& b) {
  const std::span<const uint8_t> x = a.value().bytes(), y = b.value().bytes();
  return x.size() == y.size() &&
         (x.empty() || x.data() == y.data() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

}  // namespace

Result<bool> ShareConstants(Graph& graph) {
  Removal removal(graph);
  std::unordered_map<std::string, std::vector<Node*>> kept;
  for (const auto& node : graph.nodes()) {
    if (!node->is_const() || !node->has_uses()) continue;
    std::vector<Node*>& alike = kept[SampleOf(*node)];
    const auto same = std::find_if(alike.begin(), alike.end(),
                                   [&](const Node* other) { return AreEqual(*other, *node); });
    if (same != alike.end() && !(IsGraphOutput(node->out()) && IsGraphOutput((*same)->out()))) {
      removal.Bypass(*node, (*same)->out());
    } else if (same == alike.end()) {
      alike.push_back(node.get());
    }
  }
  return removal.Finish();
}

}  // namespace ge
