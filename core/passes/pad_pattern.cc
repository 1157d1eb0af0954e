#include "passes/pad_pattern.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "ops/window.h"

namespace ge {
namespace {

// The Unsqueeze that makes a 1-D operator's input [N, C, 1, W] or [N, C, W, 1].
std::optional<size_t> UnitAxis(const Node& node) {
  if (node.type() != "Unsqueeze") return std::nullopt;
  const std::vector<int64_t> axes = AttrReader(node).Ints("axes");
  if (axes.size() != 1 || (axes[0] != 2 && axes[0] != 3)) return std::nullopt;
  return static_cast<size_t>(axes[0]);
}

bool FillsWith(const Node& pad, double fill) {
  if (AttrReader(pad).Str("mode") != "constant") return false;
  if (!pad.input(2)) return fill == 0;
  const std::optional<double> number = ScalarOf(pad.input(2));
  return number && *number == fill;
}

}  // namespace

bool HasExplicitPads(const Node& node) {
  const AttrReader attrs(node);
  for (const std::string_view name : {"auto_pad", "padding_mode", "padding"}) {
    if (attrs.Has(name) && FindPadding(attrs.Str(name)) != Padding::kExplicit) return false;
  }
  const std::string layout = attrs.Str("data_format");
  return layout == "NCHW" || layout == "NCDHW";
}

std::optional<PadPattern> FindPad(Value value, size_t spatial, double fill) {
  PadPattern pattern;
  std::optional<size_t> unit;
  if (spatial == 2) unit = UnitAxis(*value.node);
  if (unit) {
    if (OnlyReader(value) == nullptr) return std::nullopt;
    pattern.unsqueeze = value.node;
    value = value.node->input(0);
  }
  pattern.pad = MadeBy(value, "PadV3");
  if (pattern.pad == nullptr || !FillsWith(*pattern.pad, fill)) return std::nullopt;
  const std::optional<std::vector<int64_t>> list = ConstInts(pattern.pad->input(1));
  const size_t rank = spatial + 2 - (unit ? 1 : 0);
  if (!list || list->size() != 2 * rank) return std::nullopt;
  const bool paired = AttrReader(*pattern.pad).Bool("paddings_contiguous");
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t before = (*list)[paired ? 2 * axis : axis];
    const int64_t after = (*list)[paired ? 2 * axis + 1 : rank + axis];
    if (before < 0 || after < 0 || before > kWindowLimit || after > kWindowLimit) {
      return std::nullopt;
    }
    if (axis < 2 && (before != 0 || after != 0)) return std::nullopt;
    if (axis < 2) continue;
    if (unit == axis) pattern.added.insert(pattern.added.end(), {0, 0});
    pattern.added.insert(pattern.added.end(), {before, after});
  }
  if (unit == rank) pattern.added.insert(pattern.added.end(), {0, 0});
  return pattern;
}

Result<bool> TakePad(const PadPattern& pattern, Node& node, size_t index, Removal& removal) {
  const std::vector<int64_t> before = AttrReader(node).Ints("pads");
  std::vector<int64_t> pads = pattern.added;
  for (size_t i = 0; i < std::min(before.size(), pads.size()); ++i) pads[i] += before[i];
  const TensorDesc y = node.output(0);
  Node& reader = pattern.unsqueeze != nullptr ? *pattern.unsqueeze : node;
  const size_t input = pattern.unsqueeze != nullptr ? 0 : index;
  reader.SetInput(input, pattern.pad->input(0));
  node.attrs().Set("pads", pads);
  if (pattern.unsqueeze != nullptr) GE_TRY(InferNode(reader));
  if (!InferNode(node).ok() || node.output(0) != y) {
    reader.SetInput(input, pattern.pad->out());
    node.attrs().Set("pads", before);
    if (pattern.unsqueeze != nullptr) GE_TRY(InferNode(reader));
    GE_TRY(InferNode(node));
    return false;
  }
  removal.TakeNames(node, *pattern.pad);
  if (!pattern.pad->has_uses()) removal.Add(*pattern.pad);
  return true;
}

}  // namespace ge
