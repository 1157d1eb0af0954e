// ShareConstants: constants with equal bytes, dtype and shape become one, the first of them.
//
// Few bytes of each are read: only those that agree in a sample are compared as a whole, so that
// large weights are not paged in.
#include <array>
#include <cstring>
#include <functional>
#include <string_view>

#include "passes/first_of_equal.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

// Of dtype, dims and some bytes of a constant.
size_t HashOf(const Node& node) {
  constexpr size_t kPieces = 8, kPieceBytes = 16;
  const TensorDesc& desc = node.output(0);
  const size_t size = node.value().size();
  size_t hash = static_cast<size_t>(desc.dtype);
  const auto mix = [&](size_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15; };
  for (const int64_t dim : desc.shape.dims()) mix(static_cast<size_t>(dim));
  const auto mix_bytes = [&](size_t at, size_t count) {
    std::array<uint8_t, kPieces * kPieceBytes> bytes;
    node.value().Read(at, std::span(bytes).first(count));
    mix(std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), count}));
  };
  if (size <= kPieces * kPieceBytes) {
    mix_bytes(0, size);
    return hash;
  }
  for (size_t i = 0; i < kPieces; ++i) {
    const size_t at = (size - kPieceBytes) / (kPieces - 1) * i;
    mix_bytes(at / kPieceBytes * kPieceBytes, kPieceBytes);
  }
  return hash;
}

bool AreEqual(const Node& a, const Node& b) {
  const std::span<const uint8_t> x = a.value().bytes(), y = b.value().bytes();
  return a.output(0) == b.output(0) && x.size() == y.size() &&
         (x.empty() || x.data() == y.data() || std::memcmp(x.data(), y.data(), x.size()) == 0);
}

}  // namespace

Result<size_t> ShareConstants(Graph& graph) {
  Removal removal(graph);
  FirstOfEqual<AreEqual> kept;
  for (const auto& node : graph.nodes()) {
    if (!node->is_const() || !node->has_uses()) continue;
    Node* first = kept.Find(*node, HashOf(*node));
    if (first == nullptr || !MayBypass(node->out(), first->out())) continue;
    removal.Bypass(*node, first->out());
  }
  return removal.Finish();
}

}  // namespace ge
