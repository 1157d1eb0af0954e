#include "backend/host/poison.h"

#include <algorithm>
#include <map>

namespace ge::host {
namespace {

struct Life {
  int64_t first, last;  // steps; -1: before the first
};

// Removes what `live` covers from `ranges`.
void Subtract(std::vector<ArenaRange>& ranges, const ArenaRange& live) {
  std::vector<ArenaRange> rest;
  for (const ArenaRange& range : ranges) {
    if (live.end <= range.begin || range.end <= live.begin) {
      rest.push_back(range);
      continue;
    }
    if (range.begin < live.begin) rest.push_back({range.begin, live.begin});
    if (live.end < range.end) rest.push_back({live.end, range.end});
  }
  ranges = std::move(rest);
}

}  // namespace

std::vector<std::vector<ArenaRange>> DeadRanges(const Program& program) {
  std::map<std::pair<uint64_t, uint64_t>, Life> lives;
  const auto mention = [&](const Operand& operand, int64_t step) {
    if (operand.kind != Operand::kArena) return;
    const uint64_t end = operand.offset + static_cast<uint64_t>(*BytesOf(*operand.desc));
    const auto [found, added] = lives.try_emplace({operand.offset, end}, Life{step, step});
    if (!added) found->second.last = std::max(found->second.last, step);
  };
  const auto count = static_cast<int64_t>(program.steps.size());
  for (const Operand& operand : program.inputs) mention(operand, -1);
  for (int64_t i = 0; i < count; ++i) {
    const Step& step = program.steps[static_cast<size_t>(i)];
    for (const Operand& operand : step.inputs) mention(operand, i);
    for (const Operand& operand : step.outputs) mention(operand, i);
  }
  for (const Operand& operand : program.outputs) mention(operand, count);
  // What a loop and something before it mention lives until the first step behind the loop.
  for (int64_t end = 0; end < count; ++end) {
    const Step& jump = program.steps[static_cast<size_t>(end)];
    if (jump.kind != Step::kJump || jump.targets[0] > end) continue;
    for (auto& [range, life] : lives) {
      if (life.first < jump.targets[0] && life.last >= jump.targets[0]) {
        life.last = std::max(life.last, end + 1);
      }
    }
  }
  std::vector<std::vector<ArenaRange>> dead(program.steps.size());
  for (const auto& [range, life] : lives) {
    if (life.last < 0 || life.last >= count) continue;
    std::vector<ArenaRange> parts{{range.first, range.second}};
    for (const auto& [other, other_life] : lives) {
      if (other_life.first <= life.last && other_life.last > life.last) {
        Subtract(parts, {other.first, other.second});
      }
    }
    auto& list = dead[static_cast<size_t>(life.last)];
    list.insert(list.end(), parts.begin(), parts.end());
  }
  return dead;
}

}  // namespace ge::host
