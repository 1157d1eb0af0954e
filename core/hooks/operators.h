#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/hook_paths.h"
#include "hooks/impl_modes.h"
#include "hooks/operator_stores.h"
#include "ir/graph.h"
#include "ir/recorded_kernel.h"

namespace ge::hooks {

// An attribute of an ONNX node, as a JSON text.
struct SourceAttr {
  std::string name, json;
};

// Operators in Python that take part in one compile.  Python is loaded when there are any; what
// was imported is forgotten with this object.
class Operators {
 public:
  // nullptr when nothing is configured, or (with `only_type`) no store has that type.
  static Result<std::unique_ptr<Operators>> Open(const HookPaths& paths,
                                                 const OperatorOptions& options,
                                                 const std::string& soc_version,
                                                 std::string_view only_type = {});
  ~Operators();
  Operators(const Operators&) = delete;

  const OperatorStores& stores() const { return stores_; }
  const std::vector<Problem>& warnings() const { return warnings_; }

  // The GE type that nodes of this ONNX type become: what a decorator says, else a type of a store.
  // Empty when there is none.  `decorated` becomes true in the first case.
  std::string TypeFor(std::string_view domain, std::string_view type, bool* decorated) const;
  // The attributes of the GE operator that the node becomes.
  Status MapAttrs(std::string_view domain, std::string_view type, const std::string& ge_type,
                  const std::string& node_name, const std::vector<TensorDesc>& inputs,
                  const std::vector<SourceAttr>& source, AttrMap* attrs);
  // Sets dtypes and shapes of the outputs of a node whose type has no shape rule: what
  // `infer_shape` of a hook says, else what its kernel gives.
  Status InferOutputs(Node& node);
  // Builds the kernels of all nodes whose type is in a store, and names them there.
  Status BuildKernels(Graph& graph);
  // Those that were built, sorted by name.
  std::vector<StoredKernel> TakeKernels();

 private:
  struct Job;  // a kernel to build: its request, and where it belongs
  explicit Operators(OperatorStores stores) : stores_(std::move(stores)) {}
  Status Start(const std::string& soc_version);
  Status CallReply(const char* function, const std::string& request, std::string* reply) const;
  void Collect(Graph& graph, std::vector<Job>& jobs, Status& faults) const;
  Result<Job> JobFor(const OperatorInfo& info, Node& node, bool for_shapes) const;
  Status Build(std::vector<Job>& jobs);
  Status TakeShapes(Node& node, const Graph& kernel, const OperatorInfo& info) const;

  OperatorStores stores_;
  ImplModes modes_;
  std::string kernel_folder_;  // where kernel_meta is kept; empty: it is not
  std::vector<Problem> warnings_;
  int64_t session_ = -1;
  std::map<std::pair<std::string, std::string>, std::string, std::less<>> decorated_;
  // What was built, by request; empty when the built-in kernel is to be used.
  struct Built {
    std::string symbol, text;
  };
  std::unordered_map<std::string, Built> built_;
  std::map<std::string, std::string> kernels_;
};

}  // namespace ge::hooks
