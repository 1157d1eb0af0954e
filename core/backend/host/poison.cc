#include "backend/host/poison.h"

#include <algorithm>
#include <map>

namespace ge::host {
namespace {

// Bytes of the arena, as ranges that do not meet.
class Bytes {
 public:
  bool operator==(const Bytes&) const = default;

  void Add(ArenaRange range) {
    if (range.begin >= range.end) return;
    auto at = ends_.upper_bound(range.begin);
    if (at != ends_.begin() && std::prev(at)->second >= range.begin) --at;
    while (at != ends_.end() && at->first <= range.end) {
      range = {std::min(range.begin, at->first), std::max(range.end, at->second)};
      at = ends_.erase(at);
    }
    ends_.emplace(range.begin, range.end);
  }

  void Remove(ArenaRange range) {
    auto at = ends_.upper_bound(range.begin);
    if (at != ends_.begin()) --at;
    while (at != ends_.end() && at->first < range.end) {
      const auto [begin, end] = *at;
      if (end <= range.begin) {
        ++at;
        continue;
      }
      at = ends_.erase(at);
      if (begin < range.begin) ends_.emplace(begin, range.begin);
      if (range.end < end) ends_.emplace(range.end, end);
    }
  }

  void Add(const Bytes& other) {
    for (const auto& [begin, end] : other.ends_) Add({begin, end});
  }
  void Remove(const Bytes& other) {
    for (const auto& [begin, end] : other.ends_) Remove({begin, end});
  }

  std::vector<ArenaRange> Ranges() const {
    std::vector<ArenaRange> ranges;
    for (const auto& [begin, end] : ends_) ranges.push_back({begin, end});
    return ranges;
  }

 private:
  std::map<uint64_t, uint64_t> ends_;  // by begin
};

Bytes BytesAt(const std::vector<Operand>& operands) {
  Bytes bytes;
  for (const Operand& operand : operands) {
    if (operand.kind != Operand::kArena) continue;
    bytes.Add({operand.offset, operand.offset + static_cast<uint64_t>(*BytesOf(*operand.desc))});
  }
  return bytes;
}

// Turns what is needed after a step into what is needed before it.
void GoBack(const Step& step, Bytes& needed) {
  for (size_t part = step.parts.size(); part-- > 0;) GoBack(step.parts[part], needed);
  if (!step.parts.empty()) return;
  needed.Remove(BytesAt(step.outputs));
  needed.Add(BytesAt(step.inputs));
}

// Steps that may run after step i; steps.size() is the end.
std::vector<size_t> NextOf(const Program& program, size_t i) {
  const Step& step = program.steps[i];
  if (step.kind == Step::kJump || step.kind == Step::kSwitch) {
    return {step.targets.begin(), step.targets.end()};
  }
  return {i + 1};
}

}  // namespace

std::vector<std::vector<ArenaRange>> DeadRanges(const Program& program) {
  const size_t count = program.steps.size();
  std::vector<Bytes> needed(count + 1);  // before each step
  needed[count] = BytesAt(program.outputs);
  const auto needed_after = [&](size_t i) {
    Bytes bytes;
    for (const size_t next : NextOf(program, i)) bytes.Add(needed[next]);
    return bytes;
  };
  // Once from the end; again as long as jumps back bring news.
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = count; i-- > 0;) {
      Bytes bytes = needed_after(i);
      GoBack(program.steps[i], bytes);
      if (bytes == needed[i]) continue;
      needed[i] = std::move(bytes);
      changed = true;
    }
  }
  std::vector<std::vector<ArenaRange>> dead(count);
  for (size_t i = 0; i < count; ++i) {
    Bytes bytes = BytesAt(program.steps[i].inputs);
    bytes.Add(BytesAt(program.steps[i].outputs));
    bytes.Remove(needed_after(i));
    dead[i] = bytes.Ranges();
  }
  return dead;
}

}  // namespace ge::host
