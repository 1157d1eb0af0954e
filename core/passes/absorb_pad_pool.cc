// AbsorbPadPool:  PadV3 with -infinity -> MaxPool   becomes   MaxPool with more pads, and
//                 PadV3 with zeros -> average pool   becomes   one that counts its pads.
//
// A maximum over Relu, which is never negative, may be padded with zeros as well: every window
// holds an element that is no padding.  Applies when only spatial axes are padded, pads are
// explicit, sizes are rounded down, and an average over pads of its own counts them already.
#include <algorithm>
#include <limits>

#include "ops/op_impl.h"
#include "passes/pad_pattern.h"
#include "passes/pass.h"

namespace ge {
namespace {

struct Pooling {
  std::string_view type;
  size_t spatial;
  bool is_mean;
};
constexpr Pooling kPoolings[] = {
    {"MaxPoolV3", 2, false},
    {"MaxPool3D", 3, false},
    {"AvgPoolV2", 2, true},
    {"AvgPool3D", 3, true},
};

const Pooling* PoolingOf(const Node& node) {
  for (const Pooling& pooling : kPoolings) {
    if (pooling.type == node.type()) return &pooling;
  }
  return nullptr;
}

bool RoundsDown(const Node& node) {
  const AttrReader attrs(node);
  return !attrs.Bool("ceil_mode") && attrs.Int("ceil_mode") == 0 && !attrs.Bool("global_pooling");
}

std::optional<PadPattern> FindPoolPad(const Node& node, const Pooling& pooling) {
  const Value x = node.input(0);
  if (pooling.is_mean) return FindPad(x, pooling.spatial, 0);
  if (auto pad = FindPad(x, pooling.spatial, -std::numeric_limits<double>::infinity())) return pad;
  std::optional<PadPattern> pad = FindPad(x, pooling.spatial, 0);
  return pad && MadeBy(pad->pad->input(0), "Relu") ? pad : std::nullopt;
}

// Makes a mean count its pads; false when it may not, because it has pads that it does not count.
bool CountPads(Node& node, const std::vector<int64_t>& own_pads) {
  const AttrReader attrs(node);
  const bool is_3d = node.type() == "AvgPool3D";
  const bool counts = is_3d ? attrs.Bool("count_include_pad") : !attrs.Bool("exclusive");
  const auto is_zero = [](int64_t pad) { return pad == 0; };
  if (attrs.Int("divisor_override") != 0) return false;
  if (!counts && !std::all_of(own_pads.begin(), own_pads.end(), is_zero)) return false;
  node.attrs().Set(is_3d ? "count_include_pad" : "exclusive", is_3d);
  return true;
}

}  // namespace

Result<size_t> AbsorbPadPool(Graph& graph) {
  Removal removal(graph);
  size_t changes = 0;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& node = *graph.nodes()[i];
    const Pooling* pooling = PoolingOf(node);
    if (pooling == nullptr || !HasExplicitPads(node) || !RoundsDown(node)) continue;
    const std::optional<PadPattern> pad = FindPoolPad(node, *pooling);
    if (!pad) continue;
    const AttrMap before = node.attrs();
    if (pooling->is_mean && !CountPads(node, AttrReader(node).Ints("pads"))) continue;
    GE_ASSIGN(const bool taken, TakePad(*pad, node, 0, removal));
    if (!taken) node.attrs() = before;
    changes += taken ? 1 : 0;
  }
  removal.Finish();
  return changes;
}

}  // namespace ge
