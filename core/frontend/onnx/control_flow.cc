// If: the taken branch is imported in place when the condition is a constant; otherwise both
// branches become subgraphs of a GE If node.  Loop and Scan are refused.
#include "frontend/onnx/builder.h"
#include "ops/op_impl.h"

namespace ge::onnx {
namespace {

std::vector<std::string_view> OutputNames(const Graph& graph) {
  std::vector<std::string_view> names;
  for (const ValueInfo& output : graph.outputs) names.push_back(output.name);
  return names;
}

Names BranchNames(const Graph& branch, const Names& around) {
  Names names;
  names.opsets = around.opsets;
  names.prefix = around.prefix;
  names.depth = around.depth + 1;
  for (const Tensor& tensor : branch.initializers) names.initializers.emplace(tensor.name, &tensor);
  return names;
}

// Values of the outputs of a branch; a fault has been collected for every missing one.
Result<std::vector<Value>> BranchOutputs(OnnxOp& op, GraphBuilder& builder, const Graph& branch,
                                         Names& names) {
  std::vector<Value> values;
  for (const std::string_view name : OutputNames(branch)) {
    const GraphBuilder::Lookup found = builder.Find(name, names);
    if (found.state == GraphBuilder::Lookup::kMissing) {
      return op.Fail("output [" + std::string(name) + "] of a branch is produced by no node");
    }
    // A poisoned value was reported where it arose; this only keeps the import going.
    if (found.state == GraphBuilder::Lookup::kPoisoned) return std::vector<Value>{};
    values.push_back(found.value);
  }
  return values;
}

Status ImportInPlace(OnnxOp& op, const Graph& branch) {
  GraphBuilder& builder = op.builder();
  Names names = BranchNames(branch, builder.names());
  names.outer = &builder.names();
  GE_TRY(builder.ImportNodes(branch.nodes, OutputNames(branch), names));
  GE_ASSIGN(const std::vector<Value> values, BranchOutputs(op, builder, branch, names));
  if (values.empty()) return op.Poison();
  for (size_t i = 0; i < values.size(); ++i) op.SetOutput(i, values[i]);
  return Status::Ok();
}

// One branch as a graph of its own; its captures are appended to `captures`.
Result<std::unique_ptr<ge::Graph>> ImportBranch(OnnxOp& op, const Graph& branch,
                                                std::string_view suffix,
                                                std::vector<Value>* captures) {
  GraphBuilder& outer = op.builder();
  auto graph = std::make_unique<ge::Graph>(op.name() + "_" + std::string(suffix));
  GraphBuilder builder(outer.state(), *graph, outer, outer.names());
  Names names = BranchNames(branch, outer.names());
  GE_TRY(builder.ImportNodes(branch.nodes, OutputNames(branch), names));
  GE_ASSIGN(const std::vector<Value> values, BranchOutputs(op, builder, branch, names));
  if (values.empty()) return std::unique_ptr<ge::Graph>();
  ge::Node* net_output = graph->Add("NetOutput", "NetOutput", values, 0);
  (void)net_output;
  for (const std::string_view name : OutputNames(branch)) {
    graph->output_names().emplace_back(name);
  }
  // Data nodes say which input of the If node they read; input 0 is the condition.
  for (ge::Node* data : graph->InputNodes()) {
    const size_t index = static_cast<size_t>(*data->attrs().Get<int64_t>("index"));
    const Value captured = builder.captures()[index];
    size_t port = 0;
    while (port < captures->size() && !((*captures)[port] == captured)) ++port;
    if (port == captures->size()) captures->push_back(captured);
    data->attrs().Set("_parent_node_index", static_cast<int64_t>(port + 1));
  }
  return graph;
}

Status ImportIf(OnnxOp& op) {
  const Graph* then_branch = op.GraphAttr("then_branch");
  const Graph* else_branch = op.GraphAttr("else_branch");
  if (then_branch == nullptr || else_branch == nullptr || !op.has_input(0)) {
    return op.Fail("it needs a condition, a then_branch and an else_branch");
  }
  for (const Graph* branch : {then_branch, else_branch}) {
    if (branch->outputs.size() < op.output_count()) {
      return op.Fail("a branch has " + std::to_string(branch->outputs.size()) +
                     " outputs, the node " + std::to_string(op.output_count()));
    }
  }
  if (const std::optional<std::vector<int64_t>> condition = op.ConstInts(0)) {
    if (condition->size() != 1) {
      return op.Fail("its condition must have one element, it has " +
                     std::to_string(condition->size()));
    }
    return ImportInPlace(op, (*condition)[0] != 0 ? *then_branch : *else_branch);
  }
  std::vector<Value> captures;
  GE_ASSIGN(std::unique_ptr<ge::Graph> then_graph,
            ImportBranch(op, *then_branch, "then_branch", &captures));
  GE_ASSIGN(std::unique_ptr<ge::Graph> else_graph,
            ImportBranch(op, *else_branch, "else_branch", &captures));
  if (then_graph == nullptr || else_graph == nullptr) return op.Poison();
  std::vector<Value> inputs = {op.input(0)};
  inputs.insert(inputs.end(), captures.begin(), captures.end());
  ge::Node* node = op.builder().graph().Add("If", op.name(), inputs, op.output_count());
  node->AddSubgraph(std::move(then_graph));
  node->AddSubgraph(std::move(else_graph));
  GE_TRY(InferNode(*node));
  for (size_t i = 0; i < op.output_count(); ++i) {
    op.SetOutput(i, node->out(static_cast<int32_t>(i)));
  }
  return Status::Ok();
}

Status RefuseLoop(OnnxOp& op) {
  return op.Unsupported("loops are not supported yet; export the model with the loop unrolled");
}

GE_ONNX_OP("If", ImportIf);
GE_ONNX_OP("Loop", RefuseLoop);
GE_ONNX_OP("Scan", RefuseLoop);

}  // namespace
}  // namespace ge::onnx
