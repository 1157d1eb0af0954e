#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/host/program.h"
#include "kernels/kernel_context.h"

namespace ge::host {

// Pointwise steps that follow one another and give tensors of one shape are run tile by tile, so
// that what they hand on stays in the cache, and what only they read is never written to the
// arena.

// Replaces such runs of steps by steps of kind kFused.  Jumps keep their targets.
void FusePointwise(Program& program, const std::vector<bool>& is_target);

// How the tensors of a fused step are cut: along one axis of the result, and completely along
// those before it.
struct Tiling {
  size_t axis = 0;
  int64_t outer = 1;   // positions on the axes before `axis`
  int64_t length = 1;  // of a tile along `axis`
  int64_t count = 1;   // tiles per position
};
Tiling TilesOf(const Shape& shape);

// Runs all tiles, or stops early when `cancelled` (may be null) is set.  `tensors` are the inputs
// and outputs of the parts, part by part, whole, without memory where the operand is scratch.
Status RunFused(const Step& step, std::span<const HostTensor> tensors,
                const std::atomic<bool>* cancelled);

}  // namespace ge::host
