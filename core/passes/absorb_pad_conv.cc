// AbsorbPadConv:  PadV3 with zeros -> Conv2D or Conv3D   becomes   the convolution with more pads.
//
// Applies when only spatial axes are padded and the convolution has explicit pads.  Zeros that are
// multiplied are left out of the sums instead, which changes none of them.  Padding of 8-bit
// integers stands for their zero point, so that zeros are something else.
#include "kernels/heavy.h"
#include "passes/pad_pattern.h"
#include "passes/pass.h"

namespace ge {

Result<size_t> AbsorbPadConv(Graph& graph) {
  Removal removal(graph);
  size_t changes = 0;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& conv = *graph.nodes()[i];
    if ((conv.type() != "Conv2D" && conv.type() != "Conv3D") || !HasExplicitPads(conv)) continue;
    if (IsByte(conv.input(0).desc().dtype)) continue;
    const size_t spatial = conv.type() == "Conv2D" ? 2 : 3;
    const std::optional<PadPattern> pad = FindPad(conv.input(0), spatial, 0);
    if (!pad) continue;
    GE_ASSIGN(const bool taken, TakePad(*pad, conv, 0, removal));
    changes += taken ? 1 : 0;
  }
  removal.Finish();
  return changes;
}

}  // namespace ge
