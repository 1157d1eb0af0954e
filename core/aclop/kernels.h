#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "aclop/key.h"
#include "api/aclop.h"

namespace ge::aclop {

// Kernels that the caller brings, functions that choose among them, and what these have chosen.
class KernelTable {
 public:
  KernelTable() = default;
  KernelTable(const KernelTable&) = delete;
  ~KernelTable();

  AclStatus Add(const OpKernel& kernel);
  AclStatus AddSelector(std::string_view type, OpSelector selector);
  void RemoveSelector(std::string_view type);
  // nullopt when the type has none.
  std::optional<OpSelector> FindSelector(std::string_view type) const;
  // Keeps what was chosen for these descriptions; the kernel must be there.
  AclStatus Keep(const OpRequest& request, OpKernelChoice choice);

  bool has_choices() const { return has_choices_.load(std::memory_order_relaxed); }
  // What comes of running the kernel that was chosen for the request; nullopt when there is none.
  std::optional<AclStatus> Run(const OpRequest& request) const;

 private:
  struct Choice {
    OpDefinition definition;
    OpKernelChoice chosen;
  };
  struct Binary {
    void* data;
    size_t bytes;
    void (*release)(void*, size_t);
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, Binary> kernels_;  // by type and id
  std::map<std::string, OpSelector, std::less<>> selectors_;
  std::vector<Choice> choices_;
  std::atomic<bool> has_choices_ = false;
};

}  // namespace ge::aclop
