#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/aclop_desc.h"
#include "api/export.h"

// Single operators: compiled from descriptions, kept in a table, found by them again, and run.
//
// Everything the aclop functions mean is here; include/acl (core/acl) and ge.aclop are two ways to
// call it.  An OpCall is what their arguments are, unchecked: pointers may be null and counts
// negative, and each function checks them in the order of the C API and reports the first fault.
//
//   CompileOp   OpCall -> key -> table: found, or in the folder of the cache (aclop/op_cache.h), or
//               a graph of one node -> passes -> CompiledOp
//   ExecuteOp   OpCall -> key -> table -> OpTask -> OpStream (none: at once)
//
// A CompiledOp is planned and gets its kernels when it runs first.  An operator of one kernel then
// works in the caller's memory and allocates nothing; others run as a model does.
//
// The table belongs to the process (ProcessOpRuntime), is read without a common lock, and compiles
// what several threads ask for at once only once.  Descriptions are read while a call lasts and
// never changed by it, but for the outputs of the V2 functions and InferOpShape.
namespace ge {

// 0, or a code of include/acl/error_codes/acl_error_codes.h, with a text for the user.
struct [[nodiscard]] AclStatus {
  int32_t code = 0;
  std::string text;

  bool ok() const { return code == 0; }
};

// Compiler, options and table of operators.
class OpRuntime;
// A compiled operator with the descriptions it was looked up by.
class OpHandle;
// Keeps an operator's program; see OpTask.
class CompiledOp;

// What the functions of the C API are given, as it is given.
struct OpCall {
  const char* op_type = nullptr;
  int num_inputs = 0;
  const OpTensorDesc* const* input_descs = nullptr;
  const OpBuffer* const* inputs = nullptr;
  int num_outputs = 0;
  OpTensorDesc* const* output_descs = nullptr;  // changed where the function says so
  const OpBuffer* const* outputs = nullptr;
  const OpAttrs* attrs = nullptr;  // null: none
  int32_t engine_type = 0;
  int32_t compile_flag = 0;
  const char* op_path = nullptr;
};

// One run of an operator.  Descriptions and buffers may go when the call returns that got the task;
// memory that buffers stand for stays until it has run.
struct OpTask {
  const CompiledOp* op;
  std::span<const OpTensorDesc* const> input_descs;
  std::span<const OpBuffer*const> inputs, outputs;
  uint64_t bytes = 0;  // of all buffers
};

// Where the runs of operators go.
class OpStream {
 public:
  virtual ~OpStream() = default;
  // Runs the task now (api::RunOpTask), or keeps it (api::KeepOpTask) and runs it later.
  virtual AclStatus Launch(const OpTask& task) = 0;
  // Returns when everything has run that was launched before.
  virtual AclStatus Wait() = 0;
};

// The compiled operator nearest to one that was not found.
struct NearestOp {
  std::string description;               // empty: none of this type has been compiled
  std::vector<std::string> differences;  // "input 0: dtype is float16, compiled: float32"
};

// What a selector chooses: aclopKernelDesc.
struct OpKernelChoice {
  std::string kernel_id;
  uint32_t block_dim = 0;
  std::vector<uint8_t> args;
  std::vector<size_t> workspaces;  // bytes
};
// Gives 0, or the code that the update fails with.
using OpSelector = std::function<int32_t(const OpCall& call, OpKernelChoice& choice)>;

// A binary of the caller: aclopCreateKernel.
struct OpKernel {
  const char* op_type = nullptr;
  const char* kernel_id = nullptr;
  const char* kernel_name = nullptr;
  void* data = nullptr;
  int bytes = 0;
  int32_t engine_type = 0;
  void (*release)(void* data, size_t bytes) = nullptr;  // called when the runtime ends
};

namespace api {

// The one of this process.
GE_API OpRuntime& ProcessOpRuntime();
// "ACL_ERROR_OP_NOT_FOUND"; empty for a number that is no code.
GE_API std::string_view AclCodeName(int32_t code);

// The SoC to compile for, which must not change once the compiler has started; without it, that of
// the environment variable ASCEND_SOC_VERSION counts.  The compiler starts with the first compile
// or option; when it cannot (ACL_ERROR_FAILURE), it never will in this process.
GE_API AclStatus SetOpSoc(OpRuntime& runtime, std::string_view name);
// The SoC that is or would be compiled for; empty: none.
GE_API std::string OpSocName(OpRuntime& runtime);

GE_API AclStatus CompileOp(OpRuntime& runtime, const OpCall& call);
// `stream` null: the operator has run when the call returns.  With `refresh`, and always at once,
// output_descs get the shapes of the results (aclopCompileAndExecuteV2).
GE_API AclStatus CompileAndExecuteOp(OpRuntime& runtime, const OpCall& call, OpStream* stream,
                                     bool refresh);
// Of an operator that is in the table.  `checks_buffers`: aclopExecuteV2, which also refreshes
// shapes that were not known when the operator was compiled; else aclopExecute.
GE_API AclStatus ExecuteOp(OpRuntime& runtime, const OpCall& call, OpStream* stream,
                           bool checks_buffers);
GE_API NearestOp FindNearestOp(OpRuntime& runtime, const OpCall& call);
// What compiles had to say that is no failure; taken by the first who asks.
GE_API bool HasOpWarnings(const OpRuntime& runtime);
GE_API std::vector<std::string> TakeOpWarnings(OpRuntime& runtime);
// How many operators have been built by this process.
GE_API uint64_t OpBuildCount(const OpRuntime& runtime);

// `handle` is where the handle goes to, and may be null.
GE_API AclStatus CreateOpHandle(OpRuntime& runtime, const OpCall& call, OpHandle** handle);
GE_API AclStatus ExecuteOpHandle(const OpHandle* handle, int num_inputs,
                                 const OpBuffer* const* inputs, int num_outputs,
                                 const OpBuffer* const* outputs, OpStream* stream);
GE_API void DestroyOpHandle(OpHandle* handle);
// Whether a Cast in the table takes the attribute truncate.
GE_API bool CastTakesTruncate(OpRuntime& runtime);

GE_API AclStatus RunOpTask(const OpTask& task);
// The same later, of copies of the buffers.
GE_API std::function<AclStatus()> KeepOpTask(const OpTask& task);

// dtype, format, shape and range of the results into output_descs; buffers are values that shapes
// may depend on.  `opp_path` null is not checked; else it must name a folder.
GE_API AclStatus InferOpShape(OpRuntime& runtime, const OpCall& call, const char* opp_path);

// aclSetCompileopt and its neighbours; `opt` is any number.
GE_API AclStatus SetOpOption(OpRuntime& runtime, int32_t opt, const char* value);
GE_API size_t OpOptionSize(const OpRuntime& runtime, int32_t opt);
GE_API AclStatus GetOpOption(OpRuntime& runtime, int32_t opt, char* value, size_t length);
GE_API AclStatus SetOpCompileFlag(OpRuntime& runtime, int32_t flag);
GE_API AclStatus SetMaxOpQueueNum(OpRuntime& runtime, uint64_t limit);

// A single-operator model: written, read from memory, and all of a folder (at most once).
GE_API AclStatus WriteOpModel(OpRuntime& runtime, const OpCall& call, const std::string& path);
GE_API AclStatus LoadOpModel(OpRuntime& runtime, const void* model, size_t bytes);
GE_API AclStatus LoadOpModelDir(OpRuntime& runtime, const char* folder);
// The graph of one operator as text, to a file *.txt or into a folder.
GE_API AclStatus DumpOpGraph(OpRuntime& runtime, const OpCall& call, const char* path);

// Kernels of the caller.  They are registered and chosen; running one, which would take an NPU,
// fails with ACL_ERROR_RT_FEATURE_NOT_SUPPORT.
GE_API AclStatus AddOpKernel(OpRuntime& runtime, const OpKernel& kernel);
GE_API AclStatus AddOpSelector(OpRuntime& runtime, const char* op_type, OpSelector selector);
GE_API AclStatus RemoveOpSelector(OpRuntime& runtime, const char* op_type);
// Lets the selector choose a kernel for descriptions, and keeps what it chose.
GE_API AclStatus UpdateOpParams(OpRuntime& runtime, const OpCall& call);

}  // namespace api
}  // namespace ge
