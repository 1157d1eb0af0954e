// If: the taken branch is imported in place when the condition is a constant; otherwise both
// branches become subgraphs of a GE If node.
#include "frontend/onnx/control_flow.h"

#include <utility>

#include "ops/op_impl.h"

namespace ge::onnx {

std::vector<std::string_view> OutputNames(const Graph& graph) {
  std::vector<std::string_view> names;
  for (const ValueInfo& output : graph.outputs) names.push_back(output.name);
  return names;
}

Names ScopeOf(const Graph& branch, const Names& around) {
  Names names;
  names.opsets = around.opsets;
  names.prefix = around.prefix;
  names.depth = around.depth + 1;
  for (const Tensor& tensor : branch.initializers) names.initializers.Insert(tensor.name, &tensor);
  return names;
}

Result<std::vector<Value>> ResultsOf(OnnxOp& op, GraphBuilder& builder, const Graph& branch,
                                     Names& names) {
  std::vector<Value> values;
  for (const std::string_view name : OutputNames(branch)) {
    const GraphBuilder::Lookup found = builder.Find(name, names);
    if (found.state == GraphBuilder::Lookup::kMissing) {
      return op.Fail("output [" + std::string(name) + "] of an inner graph is produced by no node");
    }
    // A poisoned value was reported where it arose; this only keeps the import going.
    if (found.state == GraphBuilder::Lookup::kPoisoned) return std::vector<Value>{};
    if (&builder != &op.builder() && builder.state().containers.Holds(found.value)) {
      return op.Unsupported("output [" + std::string(name) +
                            "] of an inner graph that is a sequence; tensors are built");
    }
    values.push_back(found.value);
  }
  return values;
}

namespace {

Status ImportInPlace(OnnxOp& op, const Graph& branch) {
  GraphBuilder& builder = op.builder();
  Names names = ScopeOf(branch, builder.names());
  names.outer = &builder.names();
  GE_TRY(builder.ImportNodes(branch.nodes, OutputNames(branch), names));
  GE_ASSIGN(const std::vector<Value> values, ResultsOf(op, builder, branch, names));
  if (values.empty()) return op.Poison();
  for (size_t i = 0; i < values.size(); ++i) op.SetOutput(i, values[i]);
  return Status::Ok();
}

struct Branch {
  std::unique_ptr<ge::Graph> graph;
  std::vector<Value> captures;  // by index of its Data nodes
  Status faults;                // why it cannot run with the shapes it gets
};

// One branch as a graph of its own.  Shapes that do not fit are kept apart: which branch runs is
// not known yet, and a branch that cannot run may never be taken.
Result<Branch> ImportBranch(OnnxOp& op, const Graph& source, std::string_view suffix) {
  GraphBuilder& outer = op.builder();
  ImportState& state = outer.state();
  Branch branch;
  branch.graph = std::make_unique<ge::Graph>(op.name() + "_" + std::string(suffix));
  Status faults_so_far = std::exchange(state.faults, Status::Ok());
  GraphBuilder builder(state, *branch.graph, outer, outer.names());
  Names names = ScopeOf(source, outer.names());
  GE_TRY(builder.ImportNodes(source.nodes, OutputNames(source), names));
  const Result<std::vector<Value>> results = ResultsOf(op, builder, source, names);
  branch.faults = std::exchange(state.faults, std::move(faults_so_far));
  if (!results.ok()) {
    state.faults.Add(std::move(branch.faults));
    return results.status();
  }
  const std::vector<Value>& values = *results;
  for (const Problem& fault : branch.faults.problems()) {
    if (fault.id != ErrorId::kE14001) {
      state.faults.Add(std::exchange(branch.faults, Status::Ok()));
      break;
    }
  }
  if (values.empty()) {
    branch.graph = nullptr;
  } else {
    branch.graph->Add("NetOutput", "NetOutput", values, 0);
    for (const std::string_view name : OutputNames(source)) {
      branch.graph->output_names().emplace_back(name);
    }
    branch.captures = builder.captures();
  }
  return branch;
}

// Puts a node that fails when it runs in place of a branch that cannot run; its outputs look like
// those of the other branch.
void MakeUnreachable(OnnxOp& op, std::string_view suffix, Branch& branch, const ge::Graph& other) {
  const std::string reason = branch.faults.problems().front().message;
  branch.graph = std::make_unique<ge::Graph>(op.name() + "_" + std::string(suffix));
  branch.captures.clear();
  const ge::Node& results = *other.net_output();
  ge::Node* node =
      branch.graph->Add("Unreachable", op.name() + "/Unreachable", {}, results.input_count());
  node->AddSourceName(op.name());
  node->attrs().Set("reason", reason);
  std::vector<Value> values;
  for (size_t i = 0; i < results.input_count(); ++i) {
    node->output(i) = results.input(i).desc();
    values.push_back(node->out(static_cast<int32_t>(i)));
  }
  branch.graph->Add("NetOutput", "NetOutput", values, 0);
  branch.graph->output_names() = other.output_names();
  op.builder().state().warnings.push_back(MakeProblem(
      ErrorId::kW10005, {{"opname", op.name()}, {"branch", suffix}, {"reason", reason}}));
}

// Adds what `branch` reads to the inputs of its If; its Data nodes say which input they are.
// Input 0 is the condition.
void ConnectCaptures(const Branch& branch, std::vector<Value>& inputs) {
  for (ge::Node* data : branch.graph->InputNodes()) {
    const Value captured =
        branch.captures[static_cast<size_t>(*data->attrs().Get<int64_t>("index"))];
    size_t port = 1;
    while (port < inputs.size() && !(inputs[port] == captured)) ++port;
    if (port == inputs.size()) inputs.push_back(captured);
    data->attrs().Set("_parent_node_index", static_cast<int64_t>(port));
  }
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
    if (op.builder().state().options.drop_dead_branches) {
      return ImportInPlace(op, (*condition)[0] != 0 ? *then_branch : *else_branch);
    }
  }
  GE_ASSIGN(Branch then_part, ImportBranch(op, *then_branch, "then_branch"));
  GE_ASSIGN(Branch else_part, ImportBranch(op, *else_branch, "else_branch"));
  if (then_part.graph == nullptr && else_part.graph != nullptr && !then_part.faults.ok()) {
    MakeUnreachable(op, "then_branch", then_part, *else_part.graph);
  } else if (else_part.graph == nullptr && then_part.graph != nullptr && !else_part.faults.ok()) {
    MakeUnreachable(op, "else_branch", else_part, *then_part.graph);
  }
  if (then_part.graph == nullptr || else_part.graph == nullptr) {
    op.builder().state().faults.Add(std::move(then_part.faults));
    op.builder().state().faults.Add(std::move(else_part.faults));
    return op.Poison();
  }
  std::vector<Value> inputs = {op.input(0)};
  ConnectCaptures(then_part, inputs);
  ConnectCaptures(else_part, inputs);
  ge::Node* node = op.builder().graph().Add("If", op.name(), inputs, op.output_count());
  node->AddSubgraph(std::move(then_part.graph));
  node->AddSubgraph(std::move(else_part.graph));
  GE_TRY(InferNode(*node));
  for (size_t i = 0; i < op.output_count(); ++i) {
    op.SetOutput(i, node->out(static_cast<int32_t>(i)));
  }
  return Status::Ok();
}

GE_ONNX_OP("If", ImportIf);

}  // namespace
}  // namespace ge::onnx
