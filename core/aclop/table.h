#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "aclop/ranges.h"
#include "aclop/striped_mutex.h"
#include "api/aclop.h"

namespace ge::aclop {

// A compiled operator under the descriptions that it is found by.
struct OpEntry {
  OpDefinition definition;
  std::shared_ptr<const CompiledOp> op;
  bool dynamic = false;  // found by `ranges` instead of dims
  RangeRecord ranges;
  bool ages = true;  // false: stays until the process ends
  uint64_t hash = 0;
  // When it was used last, by groups of threads: readers do not wait for each other's lines.
  struct alignas(64) Use {
    std::atomic<int64_t> time = 0;
  };
  mutable std::array<Use, 4> uses;

  void NoteUse() const;
  int64_t last_use() const;
};

// Whether operators of fixed or of open sizes are looked for first.
enum class LookUp : uint8_t { kStaticFirst, kDynamicFirst };

// The operators of a runtime.  Any function may be called from any thread.
class OpTable {
 public:
  static constexpr uint64_t kDefaultLimit = 20000;

  // Notes that the operator is used.
  bool Contains(const OpRequest& request, LookUp order) const;
  std::shared_ptr<const OpEntry> Find(const OpRequest& request, LookUp order) const;

  // Unless there is an equal one.  The operator that was used longest ago goes when there are more
  // than the limit says.
  void Add(std::shared_ptr<OpEntry> entry);
  void SetLimit(uint64_t limit) { limit_ = limit; }

  // Calls visit(entry) for all operators of a type.
  template <typename Visit>
  void ForEachOf(std::string_view type, const Visit& visit) const {
    const std::shared_lock lock(mutex_);
    for (const auto& [hash, entry] : entries_) {
      if (entry->definition.type == type) visit(*entry);
    }
  }

 private:
  struct Record {
    uint64_t sequence;
    RangeRecord ranges;
  };
  using Entries = std::unordered_multimap<uint64_t, std::shared_ptr<OpEntry>>;

  // With mutex_ held.
  const std::shared_ptr<OpEntry>* FindEntry(const OpRequest& request, LookUp order) const;
  const std::shared_ptr<OpEntry>* FindStatic(const OpRequest& request) const;
  const std::shared_ptr<OpEntry>* FindDynamic(const OpRequest& request) const;
  const std::shared_ptr<OpEntry>* FindHashed(uint64_t hash, const OpRequest& request,
                                             bool dynamic) const;
  uint64_t SequenceOf(const OpEntry& entry);
  void Age();

  mutable StripedMutex mutex_;
  Entries entries_;
  // Of a type, in the order of registration.
  std::unordered_map<std::string, std::vector<Record>> records_;
  uint64_t next_sequence_ = 1;
  uint64_t ageing_ = 0;  // entries that age
  std::atomic<uint64_t> limit_ = kDefaultLimit;
};

}  // namespace ge::aclop
