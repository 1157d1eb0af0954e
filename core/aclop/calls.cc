// The functions that compile and run operators.
#include <algorithm>
#include <optional>

#include "aclop/runtime.h"
#include "aclop/status.h"

namespace ge {

using aclop::OpEntry;
using aclop::OpRequest;

OpHandle::OpHandle(const OpRequest& request, std::shared_ptr<const OpEntry> found)
    : entry(std::move(found)), definition(aclop::CopyOf(request)), views(definition) {}

namespace aclop {
namespace {

constexpr int32_t kUnregistered = 1;
constexpr size_t kMostDifferences = 5;

AclStatus CheckFlag(const OpCall& call) {
  if (call.compile_flag == 0 || call.compile_flag == kUnregistered) return {};
  return Fail(ACL_ERROR_API_NOT_SUPPORT,
              "EH0006: compileFlag [" + std::to_string(call.compile_flag) +
                  "] is not supported; accepted are ACL_COMPILE_SYS (0) and "
                  "ACL_COMPILE_UNREGISTERED (1).");
}

AclStatus CheckPath(const OpCall& call) {
  if (call.compile_flag != kUnregistered || call.op_path != nullptr) return {};
  return FailNull("opPath, which ACL_COMPILE_UNREGISTERED needs,");
}

bool IsOnHost(int32_t placement) {
  return placement == static_cast<int32_t>(OpPlacement::kHost) ||
         placement == static_cast<int32_t>(OpPlacement::kHostCompileIndependent);
}

// Of tensors that are not constant.
AclStatus CheckPlacement(const OpCall& call) {
  const auto check = [](const char* what, const OpTensorDesc* const* descs, int count) {
    for (int i = 0; i < count; ++i) {
      if (!IsOnHost(descs[i]->placement) || descs[i]->is_const()) continue;
      return Fail(ACL_ERROR_API_NOT_SUPPORT,
                  "EH0006: " + std::string(what) + "[" + std::to_string(i) +
                      "] is placed on the host, which is not supported here. Make it a constant, "
                      "or use aclopCompileAndExecute.");
    }
    return AclStatus();
  };
  ACL_TRY(check("inputDesc", call.input_descs, call.num_inputs));
  return check("outputDesc", call.output_descs, call.num_outputs);
}

// With the bytes of host inputs as constants, where that is how they are compiled.
OpRequest RequestWithValues(const OpRuntime& runtime, const OpCall& call) {
  OpRequest request = RequestOf(call);
  if (runtime.options.look_up() == LookUp::kStaticFirst) request.host_values = call.inputs;
  return request;
}

// Bytes of a tensor whose dims are all known; nullopt when they do not fit 64 bits.
std::optional<size_t> NeededBytes(const OpTensorDesc& desc) {
  const size_t bytes = api::MemoryBytes(desc);
  const bool empty = std::find(desc.dims.begin(), desc.dims.end(), 0) != desc.dims.end();
  return bytes == 0 && !empty ? std::nullopt : std::optional(bytes);
}

AclStatus CheckSizes(const OpRequest& request, const OpTask& task) {
  const auto check = [](const char* what, size_t i, const OpTensorDesc& desc,
                        const OpBuffer& buffer) {
    if (desc.is_absent()) return AclStatus();
    const std::optional<size_t> needed = NeededBytes(desc);
    if (needed && SizeFits(buffer.bytes, *needed) &&
        (buffer.data != nullptr || buffer.bytes == 0)) {
      return AclStatus();
    }
    return Fail(ACL_ERROR_GE_PARAM_INVALID,
                std::string(what[0] == 'i' ? "E10402: " : "E10404: ") + what + " " +
                    std::to_string(i) + " has a buffer of " + std::to_string(buffer.bytes) +
                    " bytes" + (buffer.data == nullptr ? " without memory" : "") + "; " +
                    (needed ? std::to_string(*needed) : "more than there can be") + " are needed.");
  };
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    if (request.IsConst(i)) continue;
    if (HasUnknownDims(*request.inputs[i])) {
      return FailValue(("inputDesc[" + std::to_string(i) + "]").c_str(), "a dim of -1 or -2",
                       "an operator runs with the sizes that its tensors have");
    }
    ACL_TRY(check("input", i, *request.inputs[i], *task.inputs[i]));
  }
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    // Found while running, and checked then.
    if (HasUnknownDims(*request.outputs[i])) continue;
    ACL_TRY(check("output", i, *request.outputs[i], *task.outputs[i]));
  }
  return {};
}

// Runs an operator that was found.  `shapes`, if not null, gets those of the results.
AclStatus Launch(const OpEntry& entry, const OpRequest& request, const OpBuffer* const* inputs,
                 const OpBuffer* const* outputs, OpStream* stream, std::vector<Shape>* shapes) {
  OpTask task{entry.op.get(),
              request.inputs,
              {inputs, request.inputs.size()},
              {outputs, request.outputs.size()}};
  ACL_TRY(CheckSizes(request, task));
  for (const OpBuffer* buffer : task.inputs) task.bytes += buffer->bytes;
  for (const OpBuffer* buffer : task.outputs) task.bytes += buffer->bytes;
  if (stream != nullptr && shapes == nullptr) return stream->Launch(task);
  if (stream != nullptr) ACL_TRY(stream->Wait());
  return entry.op->Run(task, shapes);
}

AclStatus CheckConcrete(const OpRuntime& runtime, const OpCall& call) {
  if (runtime.options.look_up() != LookUp::kStaticFirst) return {};
  const auto open = [](const OpTensorDesc* desc) {
    return HasUnknownDims(*desc) || !desc->value_range.empty();
  };
  if (!std::any_of(call.input_descs, call.input_descs + call.num_inputs, open) &&
      !std::any_of(call.output_descs, call.output_descs + call.num_outputs, open)) {
    return {};
  }
  return FailValue("the descriptions", "a dim of -1 or -2, or a value range",
                   "an operator runs with the sizes that its tensors have");
}

void Refresh(const OpCall& call, const std::vector<Shape>& shapes) {
  for (size_t i = 0; i < shapes.size(); ++i) {
    // Blocks are of fixed sizes.
    if (api::IsStoredInBlocks(*call.output_descs[i])) continue;
    call.output_descs[i]->dims = SmallVector<int64_t, 4>(shapes[i].dims());
  }
}

NearestOp FindNearest(OpRuntime& runtime, const OpRequest& request) {
  NearestOp nearest;
  runtime.table.ForEachOf(request.type, [&](const OpEntry& entry) {
    std::vector<std::string> found = DifferencesOf(request, entry.definition);
    if (!nearest.description.empty() && found.size() >= nearest.differences.size()) return;
    nearest = {DescribeOp(RequestOfDefinition(entry.definition).request), std::move(found)};
  });
  return nearest;
}

}  // namespace

AclStatus NotFound(OpRuntime& runtime, const OpRequest& request) {
  std::string text = "No compiled operator is " + DescribeOp(request) + ".";
  const NearestOp nearest = FindNearest(runtime, request);
  if (nearest.description.empty()) {
    text += " None of this type has been compiled or loaded; compile it first.";
  } else {
    text += " The nearest is " + nearest.description + ":";
    const size_t shown = std::min(nearest.differences.size(), kMostDifferences);
    for (size_t i = 0; i < shown; ++i) text += "\n  " + nearest.differences[i];
  }
  return Fail(ACL_ERROR_OP_NOT_FOUND, std::move(text));
}

}  // namespace aclop

namespace api {

using namespace aclop;  // NOLINT: this file implements the functions of that stage

AclStatus CompileOp(OpRuntime& runtime, const OpCall& call) {
  ACL_TRY(CheckCounts(call));
  ACL_TRY(CheckFlag(call));
  if (call.op_type == nullptr) return FailNull("opType");
  ACL_TRY(CheckDescs(call));
  ACL_TRY(CheckPlacement(call));
  ACL_TRY(CheckPath(call));
  ACL_TRY(runtime.Start());
  ACL_TRY(CheckRanges(call));
  const OpRequest request = RequestOf(call);
  if (runtime.table.Contains(request, runtime.options.look_up())) return {};
  std::shared_ptr<const OpEntry> entry;
  return runtime.FindOrBuild(request, call, &entry);
}

AclStatus CompileAndExecuteOp(OpRuntime& runtime, const OpCall& call, OpStream* stream,
                              bool refresh) {
  ACL_TRY(CheckCounts(call));
  ACL_TRY(CheckFlag(call));
  if (call.op_type == nullptr) return FailNull("opType");
  ACL_TRY(CheckDescs(call));
  ACL_TRY(CheckBuffers(call, true));
  if (AllOutputsEmpty(call)) return {};
  ACL_TRY(CheckPath(call));
  ACL_TRY(runtime.Start());
  ACL_TRY(CheckRanges(call));
  const OpRequest request = RequestWithValues(runtime, call);
  std::shared_ptr<const OpEntry> entry;
  ACL_TRY(runtime.FindOrBuild(request, call, &entry));
  ACL_TRY(CheckConcrete(runtime, call));
  if (!refresh) return Launch(*entry, request, call.inputs, call.outputs, stream, nullptr);
  std::vector<Shape> shapes;
  ACL_TRY(Launch(*entry, request, call.inputs, call.outputs, stream, &shapes));
  Refresh(call, shapes);
  return {};
}

AclStatus ExecuteOp(OpRuntime& runtime, const OpCall& call, OpStream* stream, bool checks_buffers) {
  if (call.op_type == nullptr) return FailNull("opType");
  ACL_TRY(CheckCounts(call));
  ACL_TRY(CheckDescs(call));
  if (AllOutputsEmpty(call)) return {};
  ACL_TRY(CheckBuffers(call, checks_buffers));
  ACL_TRY(CheckConcrete(runtime, call));
  const OpRequest request = RequestWithValues(runtime, call);
  if (runtime.kernels.has_choices()) {
    if (const std::optional<AclStatus> status = runtime.kernels.Run(request)) return *status;
  }
  const std::shared_ptr<const OpEntry> entry =
      runtime.table.Find(request, runtime.options.look_up());
  if (entry == nullptr) return NotFound(runtime, request);
  if (!checks_buffers || !entry->dynamic) {
    return Launch(*entry, request, call.inputs, call.outputs, stream, nullptr);
  }
  std::vector<Shape> shapes;
  ACL_TRY(Launch(*entry, request, call.inputs, call.outputs, stream, &shapes));
  Refresh(call, shapes);
  return {};
}

NearestOp FindNearestOp(OpRuntime& runtime, const OpCall& call) {
  return FindNearest(runtime, RequestOf(call));
}

AclStatus CreateOpHandle(OpRuntime& runtime, const OpCall& call, OpHandle** handle) {
  if (call.op_type == nullptr) return FailNull("opType");
  if (handle == nullptr) return FailNull("handle");
  ACL_TRY(CheckCounts(call));
  ACL_TRY(CheckDescs(call));
  ACL_TRY(CheckPlacement(call));
  ACL_TRY(CheckConcrete(runtime, call));
  const OpRequest request = RequestOf(call);
  std::shared_ptr<const OpEntry> entry = runtime.table.Find(request, runtime.options.look_up());
  if (entry == nullptr) return NotFound(runtime, request);
  *handle = new OpHandle(request, std::move(entry));
  return {};
}

AclStatus ExecuteOpHandle(const OpHandle* handle, int num_inputs, const OpBuffer* const* inputs,
                          int num_outputs, const OpBuffer* const* outputs, OpStream* stream) {
  if (handle == nullptr) return FailNull("handle");
  OpCall call;
  call.num_inputs = num_inputs;
  call.inputs = inputs;
  call.num_outputs = num_outputs;
  call.outputs = outputs;
  ACL_TRY(CheckCounts(call));
  ACL_TRY(CheckBuffers(call, false));
  bool empty = num_outputs > 0;
  for (int i = 0; i < num_outputs; ++i) empty = empty && outputs[i]->bytes == 0;
  if (empty) return {};
  const auto fail = [](int32_t code, const char* what, size_t wanted, int given) {
    return Fail(code, "The operator of the handle has " + std::to_string(wanted) + " " + what +
                          "; " + std::to_string(given) + " buffers are given.");
  };
  const OpDefinition& definition = handle->definition;
  if (static_cast<size_t>(num_inputs) != definition.inputs.size()) {
    return fail(ACL_ERROR_OP_INPUT_NOT_MATCH, "inputs", definition.inputs.size(), num_inputs);
  }
  if (static_cast<size_t>(num_outputs) != definition.outputs.size()) {
    return fail(ACL_ERROR_OP_OUTPUT_NOT_MATCH, "outputs", definition.outputs.size(), num_outputs);
  }
  return Launch(*handle->entry, handle->views.request, inputs, outputs, stream, nullptr);
}

void DestroyOpHandle(OpHandle* handle) {
  delete handle;
}

bool CastTakesTruncate(OpRuntime& runtime) {
  bool takes = false;
  runtime.table.ForEachOf("Cast", [&](const OpEntry& entry) {
    takes |= entry.definition.attrs.Find("truncate") != nullptr;
  });
  return takes;
}

AclStatus RunOpTask(const OpTask& task) {
  return task.op->Run(task, nullptr);
}

std::function<AclStatus()> KeepOpTask(const OpTask& task) {
  // The program looks at dtype and memory of the descriptions.
  struct Kept {
    std::shared_ptr<const CompiledOp> op;
    std::vector<OpTensorDesc> descs;
    std::vector<OpBuffer> inputs, outputs;
    uint64_t bytes;
  };
  auto kept = std::make_shared<Kept>();
  kept->op = task.op->shared_from_this();
  kept->bytes = task.bytes;
  for (const OpTensorDesc* desc : task.input_descs) {
    OpTensorDesc& copy = kept->descs.emplace_back();
    copy.dtype = desc->dtype;
    copy.dims = MemoryDims(*desc);
  }
  for (const OpBuffer* buffer : task.inputs) kept->inputs.push_back(*buffer);
  for (const OpBuffer* buffer : task.outputs) kept->outputs.push_back(*buffer);
  return [kept] {
    std::vector<const OpTensorDesc*> descs;
    std::vector<const OpBuffer*> inputs, outputs;
    for (const OpTensorDesc& desc : kept->descs) descs.push_back(&desc);
    for (const OpBuffer& buffer : kept->inputs) inputs.push_back(&buffer);
    for (const OpBuffer& buffer : kept->outputs) outputs.push_back(&buffer);
    return kept->op->Run({kept->op.get(), descs, inputs, outputs, kept->bytes}, nullptr);
  };
}

}  // namespace api
}  // namespace ge
