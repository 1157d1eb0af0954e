// Kernels of the caller, and collecting their arguments.
#include <cstring>

#include "acl/acl_dump.h"
#include "acl/op_call.h"

using ge::OpCall;
using ge::OpKernelChoice;
using ge::acl::CallOf;
using ge::acl::Guard;
using ge::acl::Report;
using ge::api::ProcessOpRuntime;

namespace {

OpKernelChoice* Unwrap(aclopKernelDesc* desc) {
  return reinterpret_cast<OpKernelChoice*>(desc);
}

aclError FailDump(const char* function) {
  return ge::acl::Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                       "EH0006: " + std::string(function) +
                           " is not supported: the host has no AI Core whose arguments could be "
                           "collected.");
}

}  // namespace

extern "C" {

aclError aclopCreateKernel(const char* opType, const char* kernelId, const char* kernelName,
                           void* binData, int binSize, aclopEngineType enginetype,
                           aclDataDeallocator deallocator) {
  return Report([&] {
    return ge::api::AddOpKernel(ProcessOpRuntime(), {opType, kernelId, kernelName, binData, binSize,
                                                     enginetype, deallocator});
  });
}

aclError aclopRegisterCompileFunc(const char* opType, aclopCompileFunc func) {
  ACL_CHECK_NOT_NULL(opType);
  ACL_CHECK_NOT_NULL(func);
  return Report([&] {
    const auto selector = [func](const OpCall& call, OpKernelChoice& choice) {
      return func(call.num_inputs, reinterpret_cast<const aclTensorDesc* const*>(call.input_descs),
                  call.num_outputs,
                  reinterpret_cast<const aclTensorDesc* const*>(call.output_descs),
                  reinterpret_cast<const aclopAttr*>(call.attrs),
                  reinterpret_cast<aclopKernelDesc*>(&choice));
    };
    return ge::api::AddOpSelector(ProcessOpRuntime(), opType, selector);
  });
}

aclError aclopUnregisterCompileFunc(const char* opType) {
  return Report([&] { return ge::api::RemoveOpSelector(ProcessOpRuntime(), opType); });
}

aclError aclopSetKernelArgs(aclopKernelDesc* kernelDesc, const char* kernelId, uint32_t blockDim,
                            const void* args, uint32_t argSize) {
  ACL_CHECK_NOT_NULL(kernelDesc);
  ACL_CHECK_NOT_NULL(kernelId);
  ACL_CHECK_NOT_NULL(args);
  return Guard([&] {
    OpKernelChoice& choice = *Unwrap(kernelDesc);
    choice.kernel_id = kernelId;
    choice.block_dim = blockDim;
    const auto* const bytes = static_cast<const uint8_t*>(args);
    choice.args.assign(bytes, bytes + argSize);
    return ACL_SUCCESS;
  });
}

aclError aclopSetKernelWorkspaceSizes(aclopKernelDesc* kernelDesc, int numWorkspaces,
                                      size_t* workspaceSizes) {
  ACL_CHECK_NOT_NULL(kernelDesc);
  if (numWorkspaces < 0) {
    return ge::acl::FailValue(__func__, "numWorkspaces", std::to_string(numWorkspaces),
                              "it must not be negative");
  }
  if (numWorkspaces > 0) ACL_CHECK_NOT_NULL(workspaceSizes);
  return Guard([&] {
    std::vector<size_t>& sizes = Unwrap(kernelDesc)->workspaces;
    sizes.insert(sizes.end(), workspaceSizes, workspaceSizes + numWorkspaces);
    return ACL_SUCCESS;
  });
}

aclError aclopUpdateParams(const char* opType, int numInputs,
                           const aclTensorDesc* const inputDesc[], int numOutputs,
                           const aclTensorDesc* const outputDesc[], const aclopAttr* attr) {
  const OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  return Report([&] { return ge::api::UpdateOpParams(ProcessOpRuntime(), call); });
}

aclError aclopStartDumpArgs(uint32_t, const char* path) {
  ACL_CHECK_NOT_NULL(path);
  return FailDump(__func__);
}

aclError aclopStopDumpArgs(uint32_t) {
  return FailDump(__func__);
}

}  // extern "C"
