#include "backend/host/fuse.h"

#include <algorithm>
#include <set>

#include "backend/host/operands.h"

namespace ge::host {
namespace {

// A tile has about so many elements: a few tensors of them fit the second-level cache.
constexpr int64_t kTileElements = 8192;
// Smaller tensors are in the cache anyway.
constexpr int64_t kLeastElements = 16384;
constexpr size_t kMostParts = 32;

bool IsPointwise(const Step& step) {
  if (step.kind != Step::kKernel || step.dynamic || step.prepared != nullptr ||
      PointwiseOf(step) == Pointwise::kNo || step.outputs.size() != 1) {
    return false;
  }
  const Shape& shape = step.outputs[0].desc->shape;
  if (shape.elements() < kLeastElements) return false;
  if (step.impl->pointwise == Pointwise::kChannels && shape.rank() < 2) return false;
  return RowOf(step.outputs[0].desc->dtype).bits >= 8;
}

// Whether tile t of `operand` is the same part of its memory for every operand of that size: it
// has the shape of the result.
bool IsWhole(const Operand& operand, const Shape& shape) {
  return operand.desc->shape == shape;
}

// Whether running `next` tile by tile together with `parts` gives what running it after them does:
// where memory is shared, both must be cut in the same way.
bool MayJoin(const std::vector<const Step*>& parts, const Step& next) {
  const Shape& shape = next.outputs[0].desc->shape;
  const auto compatible = [&](const Operand& written, const Operand& touched) {
    if (written.kind != Operand::kArena || touched.kind != Operand::kArena) return true;
    const ArenaSpan a = SpanOf(written), b = SpanOf(touched);
    if (!a.Meets(b)) return true;
    return a == b && IsWhole(touched, shape) && IsWhole(written, shape);
  };
  for (const Step* part : parts) {
    if (part->outputs[0].desc->shape != shape) return false;
    for (const Operand& read : part->inputs) {
      if (!compatible(next.outputs[0], read)) return false;
    }
    if (!compatible(next.outputs[0], part->outputs[0])) return false;
    for (const Operand& read : next.inputs) {
      if (!compatible(part->outputs[0], read)) return false;
    }
  }
  // In place, too, only element by element.
  for (const Operand& read : next.inputs) {
    if (!compatible(next.outputs[0], read)) return false;
  }
  return true;
}

bool SamePlace(const Operand& a, const Operand& b) {
  return a.kind == Operand::kArena && b.kind == Operand::kArena && a.offset == b.offset;
}

// Turns results that only later parts read into scratch.
void UseScratch(Step& fused) {
  std::set<const Node*> inside;
  for (const Step& part : fused.parts) inside.insert(part.node);
  uint64_t buffers = 0;
  for (size_t i = 0; i < fused.parts.size(); ++i) {
    Operand& result = fused.parts[i].outputs[0];
    const Node& node = *fused.parts[i].node;
    const bool escapes =
        !node.has_uses() || std::any_of(node.uses(0).begin(), node.uses(0).end(),
                                        [&](const Use& use) { return !inside.contains(use.node); });
    if (escapes) continue;
    // Readers find the result at the place that it was planned for.
    const Operand planned = result;
    result.kind = Operand::kScratch;
    result.offset = buffers++;
    for (size_t j = i + 1; j < fused.parts.size(); ++j) {
      Step& reader = fused.parts[j];
      for (size_t k = 0; k < reader.inputs.size(); ++k) {
        const Value value = reader.node->input(k);
        if (value.node == &node && SamePlace(reader.inputs[k], planned)) reader.inputs[k] = result;
      }
    }
  }
}

Step Fuse(std::span<Step> steps) {
  Step fused;
  fused.kind = Step::kFused;
  fused.node = steps.back().node;
  for (Step& step : steps) {
    fused.release.insert(fused.release.end(), step.release.begin(), step.release.end());
    fused.parts.push_back(std::move(step));
  }
  UseScratch(fused);
  for (const Step& part : fused.parts) {
    for (const Operand& operand : part.inputs) {
      if (operand.kind != Operand::kScratch) fused.inputs.push_back(operand);
    }
    for (const Operand& operand : part.outputs) {
      if (operand.kind != Operand::kScratch) fused.outputs.push_back(operand);
    }
  }
  return fused;
}

}  // namespace

void FusePointwise(Program& program, const std::vector<bool>& is_target) {
  std::vector<Step> steps;
  std::vector<uint32_t> moved(program.steps.size() + 1);  // old index to new
  for (size_t i = 0; i < program.steps.size();) {
    size_t end = i;
    std::vector<const Step*> parts;
    while (end < program.steps.size() && parts.size() < kMostParts &&
           IsPointwise(program.steps[end]) && (end == i || !is_target[end]) &&
           MayJoin(parts, program.steps[end])) {
      parts.push_back(&program.steps[end++]);
    }
    for (size_t k = i; k < std::max(end, i + 1); ++k) {
      moved[k] = static_cast<uint32_t>(steps.size());
    }
    if (parts.size() < 2) {
      steps.push_back(std::move(program.steps[i++]));
    } else {
      steps.push_back(Fuse(std::span(program.steps).subspan(i, end - i)));
      i = end;
    }
  }
  moved.back() = static_cast<uint32_t>(steps.size());
  for (Step& step : steps) {
    for (uint32_t& target : step.targets) target = moved[target];
  }
  program.steps = std::move(steps);
}

Tiling TilesOf(const Shape& shape) {
  Tiling tiling;
  int64_t inner = 1;
  size_t axis = shape.rank();
  while (axis > 0 && inner * shape[axis - 1] <= kTileElements) inner *= shape[--axis];
  if (axis == 0) {
    tiling.length = shape.rank() == 0 ? 1 : shape[0];
    return tiling;
  }
  tiling.axis = axis - 1;
  const int64_t dim = shape[tiling.axis];
  for (size_t i = 0; i < tiling.axis; ++i) tiling.outer *= shape[i];
  tiling.length = std::clamp<int64_t>(kTileElements / std::max<int64_t>(inner, 1), 1, dim);
  tiling.count = (dim + tiling.length - 1) / tiling.length;
  return tiling;
}

}  // namespace ge::host
