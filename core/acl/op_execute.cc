#include "acl/op_call.h"

using ge::OpCall;
using ge::OpHandle;
using ge::acl::CallOf;
using ge::acl::LateStream;
using ge::acl::Report;
using ge::acl::SetBuffers;
using ge::acl::Unwrap;
using ge::api::ProcessOpRuntime;

namespace {

// The attributes of a Cast to the data type of `dst`.
ge::OpAttrs CastAttrs(const aclTensorDesc* dst, uint8_t truncate) {
  ge::OpAttrs attrs;
  attrs.Set("dst_type", static_cast<int64_t>(Unwrap(dst)->dtype));
  if (ge::api::CastTakesTruncate(ProcessOpRuntime())) attrs.Set("truncate", truncate != 0);
  return attrs;
}

}  // namespace

extern "C" {

aclError aclopExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                        aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                        aclDataBuffer* outputs[], aclopAttr* attr, aclrtStream stream) {
  OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  SetBuffers(call, inputs, outputs);
  LateStream target(stream);
  return Report([&] { return ge::api::ExecuteOp(ProcessOpRuntime(), call, &target, true); });
}

aclError aclopExecute(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                      const aclDataBuffer* const inputs[], int numOutputs,
                      const aclTensorDesc* const outputDesc[], aclDataBuffer* const outputs[],
                      const aclopAttr* attr, aclrtStream stream) {
  OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  SetBuffers(call, inputs, outputs);
  LateStream target(stream);
  return Report([&] { return ge::api::ExecuteOp(ProcessOpRuntime(), call, &target, false); });
}

aclError aclopCreateHandle(const char* opType, int numInputs,
                           const aclTensorDesc* const inputDesc[], int numOutputs,
                           const aclTensorDesc* const outputDesc[], const aclopAttr* opAttr,
                           aclopHandle** handle) {
  const OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, opAttr);
  return Report([&] {
    return ge::api::CreateOpHandle(ProcessOpRuntime(), call, reinterpret_cast<OpHandle**>(handle));
  });
}

void aclopDestroyHandle(aclopHandle* handle) {
  ge::api::DestroyOpHandle(reinterpret_cast<OpHandle*>(handle));
}

aclError aclopExecWithHandle(aclopHandle* handle, int numInputs,
                             const aclDataBuffer* const inputs[], int numOutputs,
                             aclDataBuffer* const outputs[], aclrtStream stream) {
  OpCall buffers;
  SetBuffers(buffers, inputs, outputs);
  LateStream target(stream);
  return Report([&] {
    return ge::api::ExecuteOpHandle(reinterpret_cast<OpHandle*>(handle), numInputs, buffers.inputs,
                                    numOutputs, buffers.outputs, &target);
  });
}

aclError aclopCast(const aclTensorDesc* srcDesc, const aclDataBuffer* srcBuffer,
                   const aclTensorDesc* dstDesc, aclDataBuffer* dstBuffer, uint8_t truncate,
                   aclrtStream stream) {
  ACL_CHECK_NOT_NULL(dstDesc);
  LateStream target(stream);
  return Report([&] {
    const ge::OpAttrs attrs = CastAttrs(dstDesc, truncate);
    OpCall call = CallOf("Cast", 1, &srcDesc, 1, &dstDesc, nullptr);
    call.attrs = &attrs;
    SetBuffers(call, &srcBuffer, &dstBuffer);
    return ge::api::ExecuteOp(ProcessOpRuntime(), call, &target, true);
  });
}

aclError aclopCreateHandleForCast(aclTensorDesc* srcDesc, aclTensorDesc* dstDesc, uint8_t truncate,
                                  aclopHandle** handle) {
  ACL_CHECK_NOT_NULL(dstDesc);
  return Report([&] {
    const ge::OpAttrs attrs = CastAttrs(dstDesc, truncate);
    OpCall call = CallOf("Cast", 1, &srcDesc, 1, &dstDesc, nullptr);
    call.attrs = &attrs;
    return ge::api::CreateOpHandle(ProcessOpRuntime(), call, reinterpret_cast<OpHandle**>(handle));
  });
}

aclError aclopInferShape(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                         aclDataBuffer* inputs[], int numOutputs, aclTensorDesc* outputDesc[],
                         aclopAttr* attr) {
  OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  SetBuffers(call, inputs, nullptr);
  const char* const path = std::getenv("ASCEND_OPP_PATH");
  return Report(
      [&] { return ge::api::InferOpShape(ProcessOpRuntime(), call, path == nullptr ? "" : path); });
}

aclError aclopSetModelDir(const char* modelDir) {
  return Report([&] { return ge::api::LoadOpModelDir(ProcessOpRuntime(), modelDir); });
}

aclError aclopLoad(const void* model, size_t modelSize) {
  return Report([&] { return ge::api::LoadOpModel(ProcessOpRuntime(), model, modelSize); });
}

aclError aclopSetMaxOpQueueNum(uint64_t maxOpNum) {
  return Report([&] { return ge::api::SetMaxOpQueueNum(ProcessOpRuntime(), maxOpNum); });
}

}  // extern "C"
