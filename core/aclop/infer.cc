// aclopInferShape: the graph of the operator with its values as constants, up to its shapes.
#include <sys/stat.h>

#include "aclop/runtime.h"
#include "aclop/status.h"
#include "base/hook_paths.h"
#include "hooks/operators.h"
#include "ops/op_impl.h"

namespace ge::api {

using namespace aclop;  // NOLINT: this file implements the functions of that stage

namespace {

AclStatus CheckOppPath(const char* path) {
  struct stat info;
  if (path[0] != '\0' && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return {};
  return Fail(ACL_ERROR_INVALID_OPP_PATH,
              "EH0003: environment variable ASCEND_OPP_PATH [" + std::string(path) +
                  "] names no folder. Set it to one; the prototypes of this library are built in.");
}

// Prototypes number their inputs by name: the runs of "x0", "x1", ... are one dynamic input.
std::string DynamicName(const std::string& name) {
  const size_t end = name.find_last_not_of("0123456789");
  return end == std::string::npos || end + 1 == name.size() ? "" : name.substr(0, end + 1);
}

OpDefinition DefinitionOf(const OpCall& call) {
  OpDefinition definition = CopyOf(RequestOf(call));
  for (size_t i = 0; i < definition.inputs.size(); ++i) {
    OpTensorDesc& desc = definition.inputs[i];
    if (desc.dynamic_input.empty()) desc.dynamic_input = DynamicName(desc.name);
    if (desc.is_absent() || desc.is_const()) continue;
    const OpBuffer& buffer = *call.inputs[i];
    const size_t bytes = api::MemoryBytes(desc);
    if (buffer.data == nullptr || bytes == 0 || buffer.bytes < bytes) continue;
    const auto* data = static_cast<const uint8_t*>(buffer.data);
    desc.constant = std::make_shared<const std::vector<uint8_t>>(data, data + bytes);
  }
  return definition;
}

}  // namespace

AclStatus InferOpShape(OpRuntime& runtime, const OpCall& call, const char* opp_path) {
  if (call.op_type == nullptr) return FailNull("opType");
  ACL_TRY(CheckCounts(call));
  ACL_TRY(CheckDescs(call));
  OpCall with_inputs = call;
  with_inputs.num_outputs = 0;  // it has no output buffers
  ACL_TRY(CheckBuffers(with_inputs, false));
  ACL_TRY(runtime.CheckProduct());
  if (opp_path != nullptr) ACL_TRY(CheckOppPath(opp_path));
  for (int i = 0; i < call.num_inputs; ++i) {
    if (call.inputs[i]->bytes != 0 || call.input_descs[i]->is_absent()) continue;
    return FailValue(("inputs[" + std::to_string(i) + "]").c_str(), "0 bytes",
                     "values of inputs are read to infer shapes");
  }
  const OpDefinition definition = DefinitionOf(call);
  const Result<std::unique_ptr<hooks::Operators>> operators = hooks::Operators::Open(
      ReadHookPaths(), runtime.options.Operators(), runtime.SocName(), definition.type);
  if (!operators.ok()) return Fail(ACL_ERROR_GE_FAILURE, operators.status());
  Result<OpGraph> graph = BuildOpGraph(definition, {.generalize = false,
                                                    .checks_outputs = false,
                                                    .node_name = runtime.NextName(definition.type),
                                                    .operators = operators->get()});
  if (!graph.ok()) return Fail(ACL_ERROR_GE_FAILURE, graph.status());
  const std::vector<std::string> names = OutputNames(definition.type, graph->results.size());
  for (size_t i = 0; i < graph->results.size(); ++i) {
    const TensorDesc& inferred = graph->results[i].desc();
    OpTensorDesc& output = *call.output_descs[i];
    output.dtype = static_cast<int32_t>(inferred.dtype);
    output.format = static_cast<int32_t>(inferred.format);
    output.dims = SmallVector<int64_t, 4>(inferred.shape.dims());
    output.name = names[i];
    output.shape_range.clear();
    if (inferred.shape.is_static() || inferred.shape.unknown_rank()) continue;
    for (const int64_t dim : inferred.shape.dims()) {
      output.shape_range.push_back(dim < 0 ? DimRange{1, -1} : DimRange{dim, dim});
    }
  }
  return {};
}

}  // namespace ge::api
