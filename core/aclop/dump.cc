// aclGenGraphAndDumpForOp: the model definition of one operator, in protobuf's text format.
#include <sys/stat.h>

#include <atomic>
#include <cstdio>

#include "aclop/model_attrs.h"
#include "aclop/runtime.h"
#include "aclop/status.h"
#include "base/atomic_file.h"
#include "om/model_def.h"
#include "wire/message_to_text.h"

namespace ge::api {

using namespace aclop;  // NOLINT: this file implements the functions of that stage

namespace {

// First and last input of each dynamic group.
void MarkGroups(const OpDefinition& definition, AttrMap& attrs) {
  std::vector<int64_t> starts, ends;
  for (size_t i = 0; i < definition.inputs.size(); ++i) {
    const std::string& name = definition.inputs[i].dynamic_input;
    if (name.empty()) continue;
    if (i == 0 || definition.inputs[i - 1].dynamic_input != name) {
      starts.push_back(static_cast<int64_t>(i));
      ends.push_back(static_cast<int64_t>(i));
    }
    ends.back() = static_cast<int64_t>(i);
  }
  if (starts.empty()) return;
  attrs.Set("_dynamic_input_index_start", std::move(starts));
  attrs.Set("_dynamic_input_index_end", std::move(ends));
}

Status Print(const std::string& path, const std::string& model_def) {
  GE_ASSIGN(AtomicFile file, AtomicFile::Create(path));
  GE_TRY(wire::MessageToText(wire::FindMessage("ge.proto.ModelDef"), model_def,
                             [&](std::span<const uint8_t> bytes) { return file.Write(bytes); }));
  return file.Commit();
}

// The file that `path` stands for.
Result<std::string> FileOf(const std::string& path, const std::string& op_name) {
  const auto fail = [&](const char* reason) {
    return Error(ErrorId::kE13000, {{"path", path}, {"errmsg", reason}});
  };
  if (path.find('/') == std::string::npos) return fail("it has no folder; write ./ before it");
  if (path.ends_with(".txt")) return path;
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return fail("no such folder");
  static std::atomic<unsigned> next = 0;
  char name[32];
  std::snprintf(name, sizeof(name), "ge_proto_%05u_", next++);
  return path + (path.ends_with('/') ? "" : "/") + name + op_name + ".txt";
}

}  // namespace

AclStatus DumpOpGraph(OpRuntime& runtime, const OpCall& call, const char* path) {
  ACL_TRY(CheckCounts(call));
  if (call.op_type == nullptr) return FailNull("opType");
  if (path == nullptr) return FailNull("graphDumpPath");
  ACL_TRY(CheckDescs(call));
  if (AllOutputsEmpty(call)) return {};
  ACL_TRY(CheckBuffers(call, false));
  ACL_TRY(runtime.Start());
  ACL_TRY(CheckRanges(call));
  const OpDefinition definition = CopyOf(RequestOf(call));
  ACL_TRY(CheckDynamicInputs(definition));
  const auto dump = [&]() -> Status {
    const std::string name = runtime.NextName(definition.type);
    GE_ASSIGN(const OpGraph op, BuildOpGraph(definition, {.node_name = name}));
    if (!op.results.empty()) MarkGroups(definition, op.results[0].node->attrs());
    const ModelLayout layout = LayOut(*op.graph, PlanMemory(*op.graph, true, NodeOrder::kStable));
    om::ModelFacts facts;
    facts.name = name;
    facts.soc_version = runtime.SocName();
    facts.attrs = ToModelAttrs(definition);
    facts.inline_constants = true;
    GE_ASSIGN(const std::string file, FileOf(path, name));
    return Print(file, om::BuildModelDef(layout, BuildTasks(layout), facts));
  };
  const Status status = dump();
  return status.ok() ? AclStatus() : Fail(ACL_ERROR_GE_FAILURE, status);
}

}  // namespace ge::api
