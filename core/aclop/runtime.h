#pragma once

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "aclop/compiled_op.h"
#include "aclop/kernels.h"
#include "aclop/op_cache.h"
#include "aclop/options.h"
#include "aclop/table.h"
#include "api/soc.h"

namespace ge {

// See api/aclop.h.
class OpRuntime {
 public:
  // The SoC, or why the compiler cannot start; the first answer is kept.
  AclStatus Start();
  AclStatus SetSoc(std::string_view name);
  std::string SocName() const;
  // Products that single operators are not supported on.
  AclStatus CheckProduct() const;
  const std::string& soc_family() const { return soc_.family; }  // once started
  bool has_vector_cores() const { return has_vector_cores_; }
  bool default_jit() const { return default_jit_; }

  // Finds the operator or builds it; what others are building already is waited for.
  AclStatus FindOrBuild(const aclop::OpRequest& request, const OpCall& call,
                        std::shared_ptr<const aclop::OpEntry>* entry);
  uint64_t builds() const { return builds_; }
  void NoteBuild() { builds_.fetch_add(1, std::memory_order_relaxed); }
  // Keeps the text for who called.
  void Warn(std::string text);
  std::vector<std::string> TakeWarnings();
  bool has_warnings() const { return has_warnings_.load(std::memory_order_relaxed); }
  // "Add1", "Add2", ...
  std::string NextName(std::string_view type);

  aclop::OpTable table;
  aclop::CompileOptions options;
  aclop::OpCache cache;
  aclop::KernelTable kernels;
  std::atomic<bool> model_dir_loaded = false;
  std::mutex model_dir_mutex;

 private:
  // A build that has not ended.
  struct Pending {
    const aclop::OpDefinition* definition;
    bool done = false;
    AclStatus status;
    std::shared_ptr<const aclop::OpEntry> entry;
  };

  AclStatus StartOnce();
  AclStatus Build(aclop::OpDefinition definition, const OpCall& call,
                  std::shared_ptr<const aclop::OpEntry>* entry);

  enum State : int { kNew, kStarted, kFailed };
  std::atomic<int> state_ = kNew;
  mutable std::mutex state_mutex_;
  AclStatus failure_;
  std::string wanted_soc_;
  SocInfo soc_;
  bool has_vector_cores_ = false;
  bool default_jit_ = true;

  std::atomic<bool> has_warnings_ = false;
  std::mutex warnings_mutex_;
  std::vector<std::string> warnings_;

  std::atomic<uint64_t> builds_ = 0;
  std::atomic<uint64_t> names_ = 0;
  std::mutex pending_mutex_;
  std::condition_variable pending_done_;
  std::list<std::shared_ptr<Pending>> pending_;
};

// See api/aclop.h.
class OpHandle {
 public:
  OpHandle(const aclop::OpRequest& request, std::shared_ptr<const aclop::OpEntry> entry);

  const std::shared_ptr<const aclop::OpEntry> entry;
  const aclop::OpDefinition definition;
  const aclop::RequestOfDefinition views;
};

namespace aclop {

// Checks of one call in the order of the C API.
AclStatus CheckCounts(const OpCall& call);
AclStatus CheckDescs(const OpCall& call);
AclStatus CheckBuffers(const OpCall& call, bool looks_into_them);
bool AllOutputsEmpty(const OpCall& call);
// An input with open dims has one range per dim; with an open rank it has none.
AclStatus CheckRanges(const OpCall& call);
// Groups of inputs are maximal runs of one name; a name has one run.
AclStatus CheckDynamicInputs(const OpDefinition& definition);
AclStatus FailNull(const char* what);
AclStatus FailValue(const char* what, const std::string& value, const std::string& reason);

OpRequest RequestOf(const OpCall& call);

// Reports an operator that is not in the table, with the nearest one that is.
AclStatus NotFound(OpRuntime& runtime, const OpRequest& request);

// Compiles `definition` without looking at the table, or takes it from the folder of the cache.
Result<std::shared_ptr<OpEntry>> BuildEntry(OpRuntime& runtime, OpDefinition definition,
                                            bool generalize);

}  // namespace aclop
}  // namespace ge
