#include <algorithm>

#include "aclop/runtime.h"
#include "aclop/status.h"

namespace ge::aclop {
namespace {

AclStatus CheckCount(const char* what, int count) {
  if (count >= 0) return {};
  return FailValue(what, std::to_string(count), "it must not be negative");
}

template <typename T>
AclStatus CheckPointers(const char* what, T* const* pointers, int count) {
  if (count > 0 && pointers == nullptr) return FailNull(what);
  for (int i = 0; i < count; ++i) {
    if (pointers[i] == nullptr) {
      return FailNull((std::string(what) + "[" + std::to_string(i) + "]").c_str());
    }
  }
  return {};
}

AclStatus CheckMemory(const char* what, const OpBuffer* const* buffers, int count) {
  for (int i = 0; i < count; ++i) {
    if (buffers[i]->data != nullptr || buffers[i]->bytes == 0) continue;
    return FailValue((std::string(what) + "[" + std::to_string(i) + "]").c_str(),
                     std::to_string(buffers[i]->bytes) + " bytes", "its memory is NULL");
  }
  return {};
}

}  // namespace

AclStatus FailNull(const char* what) {
  return Fail(ACL_ERROR_INVALID_PARAM,
              "EH0002: " + std::string(what) + " is NULL. Pass a valid pointer.");
}

AclStatus FailValue(const char* what, const std::string& value, const std::string& reason) {
  return Fail(ACL_ERROR_INVALID_PARAM,
              "EH0001: value [" + value + "] of " + what + " is not valid: " + reason + ".");
}

AclStatus CheckCounts(const OpCall& call) {
  ACL_TRY(CheckCount("numInputs", call.num_inputs));
  return CheckCount("numOutputs", call.num_outputs);
}

AclStatus CheckDescs(const OpCall& call) {
  ACL_TRY(CheckPointers("inputDesc", call.input_descs, call.num_inputs));
  return CheckPointers("outputDesc", call.output_descs, call.num_outputs);
}

AclStatus CheckBuffers(const OpCall& call, bool looks_into_them) {
  ACL_TRY(CheckPointers("inputs", call.inputs, call.num_inputs));
  if (looks_into_them) ACL_TRY(CheckMemory("inputs", call.inputs, call.num_inputs));
  ACL_TRY(CheckPointers("outputs", call.outputs, call.num_outputs));
  return looks_into_them ? CheckMemory("outputs", call.outputs, call.num_outputs) : AclStatus();
}

bool AllOutputsEmpty(const OpCall& call) {
  if (call.num_outputs == 0) return false;
  for (int i = 0; i < call.num_outputs; ++i) {
    bool empty = false;
    for (const int64_t dim : call.output_descs[i]->dims) empty |= dim == 0;
    if (!empty) return false;
  }
  return true;
}

AclStatus CheckRanges(const OpCall& call) {
  for (int i = 0; i < call.num_inputs; ++i) {
    const OpTensorDesc& desc = *call.input_descs[i];
    const size_t ranges = desc.shape_range.size();
    const auto fail = [&](const std::string& reason) {
      const std::string what = "shape range of inputDesc[" + std::to_string(i) + "]";
      return FailValue(what.c_str(), std::to_string(ranges) + " pairs", reason);
    };
    if (!desc.dims.empty() && desc.dims[0] == kUnknownRankMark) {
      if (ranges == 0) continue;
      return fail("an input whose rank is not known has none");
    }
    bool open = false;
    for (const int64_t dim : desc.dims) open |= dim == kUnknownDim;
    if (!open || ranges == desc.dims.size()) continue;
    return fail("an input with a dim of -1 has one pair per dim, here " +
                std::to_string(desc.dims.size()) + "; set them with aclSetTensorShapeRange");
  }
  return {};
}

AclStatus CheckDynamicInputs(const OpDefinition& definition) {
  std::vector<std::string_view> ended;
  std::string_view current;
  for (const OpTensorDesc& desc : definition.inputs) {
    if (desc.dynamic_input == current) continue;
    if (!current.empty()) ended.push_back(current);
    current = desc.dynamic_input;
    if (std::find(ended.begin(), ended.end(), current) == ended.end()) continue;
    return FailValue("dynamic input", std::string(current), "its inputs must be neighbours");
  }
  return {};
}

OpRequest RequestOf(const OpCall& call) {
  OpRequest request;
  request.type = call.op_type;
  request.inputs = {call.input_descs, static_cast<size_t>(call.num_inputs)};
  request.outputs = {call.output_descs, static_cast<size_t>(call.num_outputs)};
  request.attrs = call.attrs;
  return request;
}

}  // namespace ge::aclop
