#include <cstdio>

#include "acl/acl_op_compiler.h"
#include "acl/op_call.h"

using ge::OpCall;
using ge::acl::CallOf;
using ge::acl::LateStream;
using ge::acl::Report;
using ge::acl::SetBuffers;
using ge::api::ProcessOpRuntime;

namespace {

void SetCompile(OpCall& call, aclopEngineType engine, aclopCompileType flag, const char* path) {
  call.engine_type = engine;
  call.compile_flag = flag;
  call.op_path = path;
}

// Report, and warnings of the compiler as lines on stderr.
template <typename Call>
aclError ReportCompile(Call&& call) {
  const aclError code = Report(call);
  if (!ge::api::HasOpWarnings(ProcessOpRuntime())) return code;
  for (const std::string& text : ge::api::TakeOpWarnings(ProcessOpRuntime())) {
    std::fprintf(stderr, "[WARNING] %s\n", text.c_str());
  }
  return code;
}

}  // namespace

// Reserved: no function takes one that is not NULL.
struct aclGraphDumpOption {};

extern "C" {

aclError aclopCompile(const char* opType, int numInputs, const aclTensorDesc* const inputDesc[],
                      int numOutputs, const aclTensorDesc* const outputDesc[],
                      const aclopAttr* attr, aclopEngineType engineType,
                      aclopCompileType compileFlag, const char* opPath) {
  OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  SetCompile(call, engineType, compileFlag, opPath);
  return ReportCompile([&] { return ge::api::CompileOp(ProcessOpRuntime(), call); });
}

aclError aclopCompileAndExecute(const char* opType, int numInputs,
                                const aclTensorDesc* const inputDesc[],
                                const aclDataBuffer* const inputs[], int numOutputs,
                                const aclTensorDesc* const outputDesc[],
                                aclDataBuffer* const outputs[], const aclopAttr* attr,
                                aclopEngineType engineType, aclopCompileType compileFlag,
                                const char* opPath, aclrtStream stream) {
  OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  SetCompile(call, engineType, compileFlag, opPath);
  SetBuffers(call, inputs, outputs);
  LateStream target(stream);
  return ReportCompile(
      [&] { return ge::api::CompileAndExecuteOp(ProcessOpRuntime(), call, &target, false); });
}

aclError aclopCompileAndExecuteV2(const char* opType, int numInputs, aclTensorDesc* inputDesc[],
                                  aclDataBuffer* inputs[], int numOutputs,
                                  aclTensorDesc* outputDesc[], aclDataBuffer* outputs[],
                                  aclopAttr* attr, aclopEngineType engineType,
                                  aclopCompileType compileFlag, const char* opPath,
                                  aclrtStream stream) {
  OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  SetCompile(call, engineType, compileFlag, opPath);
  SetBuffers(call, inputs, outputs);
  LateStream target(stream);
  return ReportCompile(
      [&] { return ge::api::CompileAndExecuteOp(ProcessOpRuntime(), call, &target, true); });
}

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  return Report([&] { return ge::api::SetOpOption(ProcessOpRuntime(), opt, value); });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  return ge::api::OpOptionSize(ProcessOpRuntime(), opt);
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  return Report([&] { return ge::api::GetOpOption(ProcessOpRuntime(), opt, value, length); });
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag) {
  return Report([&] { return ge::api::SetOpCompileFlag(ProcessOpRuntime(), flag); });
}

aclError aclGenGraphAndDumpForOp(const char* opType, int numInputs,
                                 const aclTensorDesc* const inputDesc[],
                                 const aclDataBuffer* const inputs[], int numOutputs,
                                 const aclTensorDesc* const outputDesc[],
                                 aclDataBuffer* const outputs[], const aclopAttr* attr,
                                 aclopEngineType engineType, const char* graphDumpPath,
                                 const aclGraphDumpOption* graphDumpOpt) {
  if (graphDumpOpt != nullptr) {
    return ge::acl::FailValue(__func__, "graphDumpOpt", "not NULL", "it is reserved");
  }
  OpCall call = CallOf(opType, numInputs, inputDesc, numOutputs, outputDesc, attr);
  call.engine_type = engineType;
  SetBuffers(call, inputs, outputs);
  return Report([&] { return ge::api::DumpOpGraph(ProcessOpRuntime(), call, graphDumpPath); });
}

aclGraphDumpOption* aclCreateGraphDumpOpt(void) {
  return new (std::nothrow) aclGraphDumpOption();
}

aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption* graphDumpOpt) {
  ACL_CHECK_NOT_NULL(graphDumpOpt);
  delete graphDumpOpt;
  return ACL_SUCCESS;
}

}  // extern "C"
