#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_map.h"
#include "frontend/onnx/containers.h"
#include "frontend/onnx/importer.h"
#include "frontend/onnx/model.h"
#include "frontend/onnx/onnx_op.h"
#include "frontend/onnx/tensor.h"
#include "ir/graph.h"

namespace ge::onnx {

// Stands for a tensor whose producer was found faulty.
inline constexpr Value kPoison{nullptr, -1};

// What all builders of one import share.
struct ImportState {
  const Model& model;
  const ImportOptions& options;
  TensorReader tensors;
  std::vector<Problem> warnings;
  size_t unnamed_nodes = 0;
  std::vector<std::string> renamed_nodes;  // source names that occur more than once

  // Unsupported attributes and dtypes: operator and reason -> names of the nodes.
  std::vector<std::pair<std::string, std::vector<std::string>>> unsupported;
  Status faults;  // everything else that is wrong
  Containers containers;

  void AddUnsupported(const std::string& what, const std::string& node);
};

// Names of tensors in one ONNX scope.  A branch of If sees the names around it; a function body
// does not.
struct Names {
  Names* outer = nullptr;
  NameMap<Value> values;
  NameMap<const Tensor*> initializers;
  const std::vector<OpsetImport>* opsets = nullptr;
  // Inside a function: the call and the scope it stands in, for references to its attributes.
  const Node* call = nullptr;
  const Function* function = nullptr;
  const Names* caller = nullptr;
  std::string prefix;  // of node names
  int depth = 0;
};

// Fills one GE graph from ONNX scopes.
class GraphBuilder {
 public:
  GraphBuilder(ImportState& state, ge::Graph& graph) : state_(state), graph_(graph) {}
  // A branch: reads of names that only `outer` knows become constants or Data nodes, in the order
  // of captures().
  GraphBuilder(ImportState& state, ge::Graph& graph, GraphBuilder& outer, Names& outer_names)
      : state_(state), graph_(graph), outer_(&outer), outer_names_(&outer_names) {}

  ImportState& state() { return state_; }
  ge::Graph& graph() { return graph_; }
  const std::vector<Value>& captures() const { return captures_; }

  // Imports the nodes that `wanted` outputs need, in dependency order.  Stops early only when
  // cancelled; faults are collected in the state and poison what depends on them.
  Status ImportNodes(const std::vector<Node>& nodes, const std::vector<std::string_view>& wanted,
                     Names& names);

  // The nodes at these positions, which must be in dependency order.
  Status ImportInOrder(const std::vector<Node>& nodes, const std::vector<size_t>& order,
                       Names& names);

  struct Lookup {
    enum { kMissing, kPoisoned, kFound } state = kMissing;
    Value value;
  };
  Lookup Find(std::string_view name, Names& names);

  // A value of the graph around, as this graph sees it: a constant or a Data node.
  Value Capture(Value outside, std::string_view name);

  // The same for a sequence: one of the captured elements.
  Value CaptureContainer(Value outside, std::string_view name);

  // Scope that the node being imported stands in.
  Names& names() { return *names_; }

  // Adds a GE node, infers and folds it.
  Result<std::vector<Value>> AddNode(std::string_view type, std::string_view name,
                                     std::string_view source, std::vector<Value> inputs,
                                     AttrList attrs, size_t outputs);

 private:
  void ImportNode(const Node& node, Names& names);
  Status ImportCall(const Node& node, const Function& function, const std::vector<Value>& inputs,
                    const std::string& name, std::vector<Value>* outputs, const Names& names);
  std::string NameOf(const Node& node, const Names& names);

  ImportState& state_;
  ge::Graph& graph_;
  GraphBuilder* outer_ = nullptr;
  Names* outer_names_ = nullptr;
  std::vector<Value> captures_;
  std::vector<Value> capture_nodes_;  // the Data nodes that stand for them
  Names* names_ = nullptr;
};

// Version of the opset that `domain` is imported with; nullopt when it is not imported.
std::optional<int64_t> OpsetVersion(const std::vector<OpsetImport>& opsets,
                                    std::string_view domain);
const Function* FindFunction(const Model& model, const Node& node);

// Positions of the nodes that `wanted` outputs need, producers first, otherwise in file order.
// E10041 when they form a cycle.
Result<std::vector<size_t>> NeededNodes(const std::vector<Node>& nodes,
                                        const std::vector<std::string_view>& wanted);

// Names that the graphs inside `node` read from outside of them.
void CollectOuterReads(const Node& node, std::vector<std::string_view>& reads);

// How many leading inputs version `opset` of the operator requires; 0 when it is not in the table.
// The table leaves out the roi of Resize 11, which exporters leave out.
size_t RequiredInputs(const Node& node, int64_t opset);

// Everything that can be told unsupported before importing the nodes at `order`: unknown operators,
// wrong domains and opset versions, operators that are not built.  Grouped by operator.
Status CheckSupport(const Model& model, const std::vector<size_t>& order,
                    const ImportOptions& options);

}  // namespace ge::onnx
