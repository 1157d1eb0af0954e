#include "aclop/runtime.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "aclop/status.h"
#include "base/suggest.h"
#include "precision/op_precision.h"
#include "tables/table.h"

namespace ge {
namespace {

constexpr int32_t kAiCoreEngine = 1, kVectorEngine = 2;
constexpr int32_t kUnregistered = 1;

// NPU architectures: those that the single-operator API is not there for, and those whose default
// is to compile for all sizes instead of at run time.
constexpr std::string_view kUnsupportedFamilies[] = {"Ascend910_95", "Ascend035"};
constexpr std::string_view kUnsupportedPrefix = "Ascend950";
constexpr std::string_view kNoJitArchs[] = {"AIC-C-220", "AIC-C-310"};

template <typename List>
bool Holds(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

std::string EnvironmentSoc() {
  const char* name = std::getenv("ASCEND_SOC_VERSION");
  return name == nullptr ? "" : name;
}

AclStatus CheckAbsent(const aclop::OpDefinition& definition) {
  for (const OpTensorDesc& desc : definition.inputs) {
    const bool undefined =
        desc.dtype == kUndefinedNumber && desc.format == kUndefinedNumber && !desc.dims.empty();
    if (!undefined) continue;
    return aclop::FailValue("inputDesc", "undefined data type and format with dims",
                            "an input that is left out has neither");
  }
  return {};
}

AclStatus CheckUnregistered(const aclop::OpDefinition& definition) {
  for (const auto& [name, value] : definition.attrs.values()) {
    if (!std::holds_alternative<std::vector<std::vector<int64_t>>>(value)) continue;
    return aclop::FailValue("attribute", name,
                            "an operator without a prototype has no lists of lists");
  }
  if (!Table::Root("ops").Find(definition.type).is_null()) return {};
  return aclop::Fail(ACL_ERROR_GE_FAILURE,
                     "E10501: operator type [" + definition.type +
                         "] has no prototype, and files of opPath are not run on the host. Use "
                         "ACL_COMPILE_SYS with an operator type that is built in.");
}

}  // namespace

AclStatus OpRuntime::SetSoc(std::string_view name) {
  const std::lock_guard lock(state_mutex_);
  if (state_ != kNew && name != (state_ == kStarted ? soc_.name : wanted_soc_)) {
    return aclop::Fail(ACL_ERROR_REPEAT_INITIALIZE,
                       "The compiler has started for SoC [" + soc_.name +
                           "] and stays with it until the process ends.");
  }
  wanted_soc_ = name;
  return {};
}

std::string OpRuntime::SocName() const {
  const std::lock_guard lock(state_mutex_);
  if (state_ == kStarted) return soc_.name;
  return wanted_soc_.empty() ? EnvironmentSoc() : wanted_soc_;
}

AclStatus OpRuntime::CheckProduct() const {
  const std::string name = SocName();
  const std::optional<SocInfo> soc = api::FindSoc(name);
  if (!name.starts_with(kUnsupportedPrefix) && !(soc && Holds(kUnsupportedFamilies, soc->family))) {
    return {};
  }
  return aclop::Fail(ACL_ERROR_API_NOT_SUPPORT,
                     "EH0006: single operators are not supported on SoC [" + name +
                         "], as on all Ascend 950 and IPV350 products. Choose another SoC.");
}

AclStatus OpRuntime::Start() {
  if (state_.load(std::memory_order_acquire) == kStarted) return {};
  ACL_TRY(CheckProduct());
  const std::lock_guard lock(state_mutex_);
  if (state_ == kNew) {
    failure_ = StartOnce();
    state_.store(failure_.ok() ? kStarted : kFailed, std::memory_order_release);
  }
  return failure_;
}

AclStatus OpRuntime::StartOnce() {
  const std::string name = wanted_soc_.empty() ? EnvironmentSoc() : wanted_soc_;
  if (name.empty()) {
    return aclop::Fail(
        ACL_ERROR_FAILURE,
        "The compiler cannot start: no SoC is set. Name it in the JSON file of "
        "aclInit, {\"soc_version\": \"Ascend310P3\"}, or in the environment variable "
        "ASCEND_SOC_VERSION.");
  }
  std::optional<SocInfo> soc = api::FindSoc(name);
  if (!soc) {
    const std::vector<SocInfo> all = api::AllSocs();
    std::vector<std::string_view> names;
    for (const SocInfo& known : all) names.push_back(known.name);
    const std::string_view nearest = Nearest(name, names);
    return aclop::Fail(
        ACL_ERROR_FAILURE,
        "The compiler cannot start: SoC [" + name + "] is not known" +
            (nearest.empty() ? "." : "; did you mean " + std::string(nearest) + "?"));
  }
  soc_ = std::move(*soc);
  const Table row = Table::Root("socs").Find(soc_.name);
  has_vector_cores_ = row.Find("vector_core_cnt").AsInt() > 0;
  default_jit_ = !Holds(kNoJitArchs, row.Find("arch").AsString());
  options.SetDefaultJit(default_jit_);
  return {};
}

void OpRuntime::Warn(std::string text) {
  const std::lock_guard lock(warnings_mutex_);
  warnings_.push_back(std::move(text));
  has_warnings_ = true;
}

std::vector<std::string> OpRuntime::TakeWarnings() {
  const std::lock_guard lock(warnings_mutex_);
  has_warnings_ = false;
  return std::exchange(warnings_, {});
}

std::string OpRuntime::NextName(std::string_view type) {
  return std::string(type) + std::to_string(names_.fetch_add(1, std::memory_order_relaxed) + 1);
}

AclStatus OpRuntime::FindOrBuild(const aclop::OpRequest& request, const OpCall& call,
                                 std::shared_ptr<const aclop::OpEntry>* entry) {
  *entry = table.Find(request, options.look_up());
  if (*entry != nullptr) return {};
  aclop::OpDefinition definition = aclop::CopyOf(request);
  std::unique_lock lock(pending_mutex_);
  for (const std::shared_ptr<Pending>& other : pending_) {
    if (!aclop::Matches(request, *other->definition, false)) continue;
    const std::shared_ptr<Pending> shared = other;
    pending_done_.wait(lock, [&] { return shared->done; });
    *entry = shared->entry;
    return shared->status;
  }
  // Another thread may have been done in between.
  *entry = table.Find(request, options.look_up());
  if (*entry != nullptr) return {};
  const auto mine = std::make_shared<Pending>();
  mine->definition = &definition;
  pending_.push_back(mine);
  lock.unlock();
  const auto finish = [&](AclStatus status) {
    const std::lock_guard relock(pending_mutex_);
    mine->status = std::move(status);
    mine->entry = *entry;
    mine->done = true;
    pending_.remove(mine);
    pending_done_.notify_all();
    return mine->status;
  };
  try {
    return finish(Build(definition, call, entry));
  } catch (const std::bad_alloc&) {
    return finish(aclop::Fail(ACL_ERROR_BAD_ALLOC, "Memory does not suffice."));
  }
}

AclStatus OpRuntime::Build(aclop::OpDefinition definition, const OpCall& call,
                           std::shared_ptr<const aclop::OpEntry>* entry) {
  ACL_TRY(aclop::CheckDynamicInputs(definition));
  ACL_TRY(CheckAbsent(definition));
  if (call.compile_flag == kUnregistered) ACL_TRY(CheckUnregistered(definition));
  if (call.engine_type != 0) {
    const std::vector<MixEdit> none;
    OpPrecisionTable ops(soc_family(), none);
    const bool on_core = ops.Of(definition.type).on_ai_core;
    const bool fits = (call.engine_type == kAiCoreEngine && on_core) ||
                      (call.engine_type == kVectorEngine && on_core && has_vector_cores() &&
                       !IsMatrixOp(definition.type));
    if (!fits) {
      return aclop::Fail(ACL_ERROR_GE_FAILURE,
                         "E14001: engine [" + std::to_string(call.engine_type) + "] of SoC [" +
                             soc_.name + "] has no kernel for operator type [" + definition.type +
                             "]. Use ACL_ENGINE_SYS.");
    }
  }
  const bool has_ranges =
      std::any_of(definition.inputs.begin(), definition.inputs.end(),
                  [](const OpTensorDesc& desc) { return !desc.shape_range.empty(); });
  const bool generalize = options.Generalizes(has_ranges);
  const aclop::OpDefinition asked = definition;
  Result<std::shared_ptr<aclop::OpEntry>> built =
      aclop::BuildEntry(*this, std::move(definition), generalize);
  // An operator whose rule wants fixed sizes.
  if (!built.ok() && generalize) built = aclop::BuildEntry(*this, asked, false);
  if (!built.ok()) return aclop::Fail(ACL_ERROR_GE_FAILURE, built.status());
  *entry = *built;
  table.Add(std::move(*built));
  return {};
}

namespace api {

OpRuntime& ProcessOpRuntime() {
  // Never freed: threads of the caller may still use it while the process ends.
  static OpRuntime& runtime = *new OpRuntime();
  return runtime;
}

AclStatus SetOpSoc(OpRuntime& runtime, std::string_view name) {
  return runtime.SetSoc(name);
}

std::string OpSocName(OpRuntime& runtime) {
  return runtime.SocName();
}

bool HasOpWarnings(const OpRuntime& runtime) {
  return runtime.has_warnings();
}

std::vector<std::string> TakeOpWarnings(OpRuntime& runtime) {
  return runtime.TakeWarnings();
}

uint64_t OpBuildCount(const OpRuntime& runtime) {
  return runtime.builds();
}

}  // namespace api
}  // namespace ge
