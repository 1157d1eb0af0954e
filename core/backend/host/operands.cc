#include "backend/host/operands.h"

#include <algorithm>

namespace ge::host {

TensorIds::TensorIds(const Program& program) {
  std::unordered_map<const Node*, int> kernels;
  for (const Step& step : program.steps) {
    if (step.kind == Step::kKernel) ++kernels[step.node];
  }
  for (const Step& step : program.steps) {
    if (step.kind != Step::kKernel || kernels[step.node] != 1) continue;
    for (size_t i = 0; i < step.outputs.size(); ++i) {
      if (step.outputs[i].kind != Operand::kArena) continue;
      const std::span<const Use> uses = step.node->uses(i);
      const bool only_kernels = std::all_of(
          uses.begin(), uses.end(), [&](const Use& use) { return kernels.contains(use.node); });
      if (only_kernels) ids_.emplace(std::pair(step.node, static_cast<int32_t>(i)), ids_.size());
    }
  }
}

}  // namespace ge::host
