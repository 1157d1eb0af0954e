#include "aclop/table.h"

#include <algorithm>
#include <chrono>

namespace ge::aclop {
namespace {

// A clock needs no memory that threads share; two uses in one thread never have one time.
int64_t Now() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

}  // namespace

void OpEntry::NoteUse() const {
  uses[StripedMutex::Stripe() % uses.size()].time.store(Now(), std::memory_order_relaxed);
}

int64_t OpEntry::last_use() const {
  int64_t last = 0;
  for (const Use& use : uses) last = std::max(last, use.time.load(std::memory_order_relaxed));
  return last;
}

const std::shared_ptr<OpEntry>* OpTable::FindHashed(uint64_t hash, const OpRequest& request,
                                                    bool dynamic) const {
  const auto [begin, end] = entries_.equal_range(hash);
  for (auto found = begin; found != end; ++found) {
    const OpEntry& entry = *found->second;
    if (entry.dynamic == dynamic && Matches(request, entry.definition, dynamic)) {
      return &found->second;
    }
  }
  return nullptr;
}

const std::shared_ptr<OpEntry>* OpTable::FindStatic(const OpRequest& request) const {
  return FindHashed(HashOf(request), request, false);
}

const std::shared_ptr<OpEntry>* OpTable::FindDynamic(const OpRequest& request) const {
  if (records_.empty()) return nullptr;
  const auto records = records_.find(std::string(request.type));
  if (records == records_.end()) return nullptr;
  for (const Record& record : records->second) {
    if (!Accepts(record.ranges, request)) continue;
    const uint64_t hash = DynamicHashOf(request, record.sequence);
    if (const auto* found = FindHashed(hash, request, true)) return found;
  }
  return nullptr;
}

const std::shared_ptr<OpEntry>* OpTable::FindEntry(const OpRequest& request, LookUp order) const {
  const bool static_first = order == LookUp::kStaticFirst;
  const auto* found = static_first ? FindStatic(request) : FindDynamic(request);
  if (found == nullptr) found = static_first ? FindDynamic(request) : FindStatic(request);
  if (found != nullptr) (*found)->NoteUse();
  return found;
}

bool OpTable::Contains(const OpRequest& request, LookUp order) const {
  const std::shared_lock lock(mutex_);
  return FindEntry(request, order) != nullptr;
}

std::shared_ptr<const OpEntry> OpTable::Find(const OpRequest& request, LookUp order) const {
  const std::shared_lock lock(mutex_);
  const auto* found = FindEntry(request, order);
  return found == nullptr ? nullptr : *found;
}

uint64_t OpTable::SequenceOf(const OpEntry& entry) {
  std::vector<Record>& records = records_[entry.definition.type];
  for (const Record& record : records) {
    if (record.ranges == entry.ranges) return record.sequence;
  }
  records.push_back({next_sequence_++, entry.ranges});
  return records.back().sequence;
}

void OpTable::Add(std::shared_ptr<OpEntry> entry) {
  const RequestOfDefinition views(entry->definition);
  const std::lock_guard lock(mutex_);
  entry->hash =
      entry->dynamic ? DynamicHashOf(views.request, SequenceOf(*entry)) : HashOf(views.request);
  if (FindHashed(entry->hash, views.request, entry->dynamic) != nullptr) return;
  entry->NoteUse();
  ageing_ += entry->ages ? 1 : 0;
  const uint64_t hash = entry->hash;
  entries_.emplace(hash, std::move(entry));
  while (ageing_ > limit_) Age();
}

void OpTable::Age() {
  auto oldest = entries_.end();
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (!entry->second->ages) continue;
    if (oldest == entries_.end() || entry->second->last_use() < oldest->second->last_use()) {
      oldest = entry;
    }
  }
  entries_.erase(oldest);
  --ageing_;
}

}  // namespace ge::aclop
