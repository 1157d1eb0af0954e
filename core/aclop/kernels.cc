#include "aclop/kernels.h"

#include <algorithm>

#include "aclop/runtime.h"
#include "aclop/status.h"

namespace ge {
namespace aclop {
namespace {

constexpr int32_t kAiCoreEngine = 1, kVectorEngine = 2;
constexpr size_t kMostWorkspaces = 16;

}  // namespace

KernelTable::~KernelTable() {
  for (const auto& [key, binary] : kernels_) {
    if (binary.release != nullptr) binary.release(binary.data, binary.bytes);
  }
}

AclStatus KernelTable::Add(const OpKernel& kernel) {
  const std::lock_guard lock(mutex_);
  const std::pair<std::string, std::string> key(kernel.op_type, kernel.kernel_id);
  if (kernels_.contains(key)) {
    return Fail(ACL_ERROR_KERNEL_ALREADY_REGISTERED,
                "Kernel [" + key.second + "] of operator type [" + key.first +
                    "] has been created before. Use another kernelId.");
  }
  if (kernel.engine_type != kAiCoreEngine && kernel.engine_type != kVectorEngine) {
    return FailValue("enginetype", std::to_string(kernel.engine_type),
                     "a kernel runs on ACL_ENGINE_AICORE (1) or ACL_ENGINE_VECTOR (2)");
  }
  kernels_[key] = {kernel.data, static_cast<size_t>(std::max(kernel.bytes, 0)), kernel.release};
  return {};
}

AclStatus KernelTable::AddSelector(std::string_view type, OpSelector selector) {
  const std::lock_guard lock(mutex_);
  if (selectors_.emplace(type, std::move(selector)).second) return {};
  return Fail(ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED,
              "Operator type [" + std::string(type) +
                  "] has a compile function. Call aclopUnregisterCompileFunc first.");
}

void KernelTable::RemoveSelector(std::string_view type) {
  const std::lock_guard lock(mutex_);
  const auto found = selectors_.find(type);
  if (found != selectors_.end()) selectors_.erase(found);
}

std::optional<OpSelector> KernelTable::FindSelector(std::string_view type) const {
  const std::lock_guard lock(mutex_);
  const auto found = selectors_.find(type);
  return found == selectors_.end() ? std::nullopt : std::optional(found->second);
}

AclStatus KernelTable::Keep(const OpRequest& request, OpKernelChoice choice) {
  const std::lock_guard lock(mutex_);
  if (!kernels_.contains({std::string(request.type), choice.kernel_id})) {
    return Fail(ACL_ERROR_KERNEL_NOT_FOUND,
                "The compile function of operator type [" + std::string(request.type) +
                    "] chose kernel [" + choice.kernel_id +
                    "], which has not been created with aclopCreateKernel.");
  }
  for (Choice& kept : choices_) {
    if (!Matches(request, kept.definition, false)) continue;
    kept.chosen = std::move(choice);
    return {};
  }
  choices_.push_back({CopyOf(request), std::move(choice)});
  has_choices_ = true;
  return {};
}

std::optional<AclStatus> KernelTable::Run(const OpRequest& request) const {
  const std::lock_guard lock(mutex_);
  for (const Choice& kept : choices_) {
    if (!Matches(request, kept.definition, false)) continue;
    const size_t workspaces = kept.chosen.workspaces.size();
    if (workspaces > kMostWorkspaces) {
      return FailValue("the workspaces", std::to_string(workspaces),
                       "a kernel has at most " + std::to_string(kMostWorkspaces));
    }
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "EH0006: kernel [" + kept.chosen.kernel_id + "] of operator type [" +
                    std::string(request.type) +
                    "] is a binary for an NPU, which the host engine does not run. Compile the "
                    "operator with aclopCompile to run it on the host.");
  }
  return std::nullopt;
}

}  // namespace aclop

namespace api {

using namespace aclop;  // NOLINT: this file implements the functions of that stage

AclStatus AddOpKernel(OpRuntime& runtime, const OpKernel& kernel) {
  if (kernel.op_type == nullptr) return FailNull("opType");
  if (kernel.kernel_id == nullptr) return FailNull("kernelId");
  if (kernel.kernel_name == nullptr) return FailNull("kernelName");
  if (kernel.data == nullptr) return FailNull("binData");
  return runtime.kernels.Add(kernel);
}

AclStatus AddOpSelector(OpRuntime& runtime, const char* op_type, OpSelector selector) {
  if (op_type == nullptr) return FailNull("opType");
  if (selector == nullptr) return FailNull("func");
  return runtime.kernels.AddSelector(op_type, std::move(selector));
}

AclStatus RemoveOpSelector(OpRuntime& runtime, const char* op_type) {
  if (op_type == nullptr) return FailNull("opType");
  runtime.kernels.RemoveSelector(op_type);
  return {};
}

AclStatus UpdateOpParams(OpRuntime& runtime, const OpCall& call) {
  if (call.op_type == nullptr) return FailNull("opType");
  ACL_TRY(CheckCounts(call));
  ACL_TRY(CheckDescs(call));
  const std::optional<OpSelector> selector = runtime.kernels.FindSelector(call.op_type);
  if (!selector) {
    return Fail(ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED,
                "Operator type [" + std::string(call.op_type) +
                    "] has no compile function. Call aclopRegisterCompileFunc first.");
  }
  OpKernelChoice choice;
  if (const int32_t code = (*selector)(call, choice); code != ACL_SUCCESS) {
    return Fail(code, "The compile function of operator type [" + std::string(call.op_type) +
                          "] returned " + std::to_string(code) + ".");
  }
  return runtime.kernels.Keep(RequestOf(call), std::move(choice));
}

}  // namespace api
}  // namespace ge
