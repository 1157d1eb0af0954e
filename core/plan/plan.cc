#include "plan/plan.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "plan/arena.h"

namespace ge {
namespace {

// The value whose memory `value` is: views are followed to what they look at.
Value StorageOf(Value value) {
  while (value.index == 0 && value.node->input(0)) {
    const OpImpl* impl = FindOpImpl(value.node->type());
    if (impl == nullptr || !impl->view) break;
    const Value input = value.node->input(0);
    if (input.node->is_const() || BytesOf(input.desc()) != BytesOf(value.desc())) break;
    value = input;
  }
  return value;
}

// Whether output 0 of `node` may be where its input `i` is: an operator that works element by
// element reads each one before it writes it.
bool MayOverwrite(const Node& node, size_t i) {
  const OpImpl* impl = FindOpImpl(node.type());
  const Value input = node.input(i);
  return impl != nullptr && impl->pointwise != Pointwise::kNo && node.output_count() == 1 &&
         input && !input.node->is_const() && input.desc().dtype == node.output(0).dtype &&
         input.desc().shape == node.output(0).shape;
}

bool HasUnknownSizes(const Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const auto& node) {
    for (size_t i = 0; i < node->output_count(); ++i) {
      if (!BytesOf(node->output(i))) return true;
    }
    return std::any_of(node->subgraphs().begin(), node->subgraphs().end(),
                       [](const auto& subgraph) { return HasUnknownSizes(*subgraph); });
  });
}

void MoveBranches(const Graph& graph, GraphPlan& plan);

// Adds `base` to every offset of a branch; its Data nodes are memory of the graph around.
void MoveBranch(const Graph& branch, GraphPlan& plan, int64_t base, const Node& parent,
                const GraphPlan& parent_plan) {
  for (int64_t& offset : plan.offsets) {
    if (offset != kNoOffset) offset += base;
  }
  for (auto& [index, inner] : plan.branches) {
    if (inner.workspace_bytes != 0) inner.workspace_offset += base;
  }
  for (const auto& node : branch.nodes()) {
    if (node->type() != "Data") continue;
    const int64_t port = *node->attrs().Get<int64_t>("_parent_node_index");
    // Branches of an If read its inputs, the graphs of a While the states: its outputs.
    const Value read = parent.type() == "While"
                           ? Value{const_cast<Node*>(&parent), static_cast<int32_t>(port)}
                           : parent.input(static_cast<size_t>(port));
    plan.OffsetsOf(*node)[0] = parent_plan.OffsetOf(read);
  }
  for (const auto& node : branch.nodes()) {
    // Views of Data nodes follow them.
    for (size_t i = 0; i < node->output_count(); ++i) {
      const Value storage = StorageOf(node->out(static_cast<int32_t>(i)));
      if (storage.node->type() == "Data") {
        plan.OffsetsOf(*node)[i] = plan.OffsetOf(storage);
      }
    }
  }
  MoveBranches(branch, plan);
}

void MoveBranches(const Graph& graph, GraphPlan& plan) {
  for (auto& [index, branches] : plan.branches) {
    const Node& node = *graph.nodes()[index];
    for (size_t i = 0; i < branches.graphs.size(); ++i) {
      MoveBranch(*node.subgraphs()[i], branches.graphs[i], branches.workspace_offset, node, plan);
    }
  }
}

GraphPlan EmptyPlan(const Graph& graph) {
  GraphPlan plan;
  plan.first_output.reserve(graph.size());
  uint32_t outputs = 0;
  for (const auto& node : graph.nodes()) {
    plan.first_output.push_back(outputs);
    outputs += static_cast<uint32_t>(node->output_count());
  }
  plan.offsets.assign(outputs, kNoOffset);
  return plan;
}

// Plans one graph from offset 0.  In a branch, Data nodes are memory of the graph around it.
GraphPlan PlanGraph(const Graph& graph, bool reuse, bool is_branch, uint64_t* bytes) {
  GraphPlan plan = EmptyPlan(graph);
  std::vector<Claim> claims;
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> claim_of(plan.offsets.size(), kNone);  // of the storage of each output
  std::map<uint32_t, uint32_t> workspace_claim;                // by node index
  const auto claim_at = [&](Value value) {
    return plan.Of(claim_of, *value.node)[static_cast<size_t>(value.index)];
  };
  // The claim of an input that `node` is the last to read and may overwrite.
  const auto overwritten = [&](const Node& node) {
    for (size_t i = 0; reuse && i < node.input_count(); ++i) {
      if (!MayOverwrite(node, i)) continue;
      const uint32_t claim = claim_at(node.input(i));
      if (claim != kNone && claims[claim].last_step == node.index()) return claim;
    }
    return kNone;
  };
  for (const auto& node : graph.nodes()) {
    const uint32_t step = node->index();
    if (!node->subgraphs().empty()) {
      BranchPlan& branches = plan.branches[step];
      uint64_t workspace = 0;
      for (const auto& subgraph : node->subgraphs()) {
        uint64_t branch_bytes = 0;
        branches.graphs.push_back(PlanGraph(*subgraph, reuse, true, &branch_bytes));
        workspace = std::max(workspace, branch_bytes);
      }
      branches.workspace_bytes = static_cast<int64_t>(workspace);
      if (workspace != 0) {
        workspace_claim[step] = static_cast<uint32_t>(claims.size());
        claims.push_back({step, step, workspace});
      }
    }
    const bool is_data = node->type() == "Data";
    if (node->is_const() || (is_data && is_branch)) continue;
    for (size_t i = 0; i < node->output_count(); ++i) {
      const Value value = node->out(static_cast<int32_t>(i));
      const Value storage = StorageOf(value);
      uint32_t& claim = plan.Of(claim_of, *node)[i];
      if (!(storage == value)) {
        claim = claim_at(storage);
      } else if (claim = overwritten(*node); claim != kNone) {
        // Lives on in that memory.
      } else if (const std::optional<int64_t> size = BytesOf(node->output(i))) {
        claim = static_cast<uint32_t>(claims.size());
        claims.push_back({is_data ? 0 : step, step, static_cast<uint64_t>(*size)});
      }
      if (claim == kNone) continue;
      for (const Use& use : node->uses(i)) {
        claims[claim].last_step = std::max(claims[claim].last_step, use.node->index());
      }
    }
  }
  *bytes = PlaceClaims(claims, reuse);
  for (size_t i = 0; i < claim_of.size(); ++i) {
    if (claim_of[i] != kNone) plan.offsets[i] = static_cast<int64_t>(claims[claim_of[i]].offset);
  }
  for (const auto& [step, claim] : workspace_claim) {
    plan.branches[step].workspace_offset = static_cast<int64_t>(claims[claim].offset);
  }
  if (!is_branch) MoveBranches(graph, plan);
  return plan;
}

}  // namespace

MemoryPlan PlanMemory(const Graph& graph, bool reuse) {
  MemoryPlan plan;
  plan.graph = PlanGraph(graph, reuse, false, &plan.arena_bytes);
  plan.has_unknown_sizes = HasUnknownSizes(graph);
  return plan;
}

}  // namespace ge
