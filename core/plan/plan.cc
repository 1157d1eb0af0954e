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

// Adds `base` to every offset of a branch; its Data nodes are memory of the graph around.
void MoveBranch(const Graph& branch, GraphPlan& plan, int64_t base, const Node& parent,
                const GraphPlan& parent_plan) {
  for (const auto& node : branch.nodes()) {
    std::vector<int64_t>& offsets = plan.offsets[node->index()];
    for (int64_t& offset : offsets) {
      if (offset != kNoOffset) offset += base;
    }
    if (plan.workspace_bytes[node->index()] != 0) plan.workspace_offsets[node->index()] += base;
    if (node->type() == "Data") {
      const int64_t port = *node->attrs().Get<int64_t>("_parent_node_index");
      // Branches of an If read its inputs, the graphs of a While the states: its outputs.
      const Value read = parent.type() == "While"
                             ? Value{const_cast<Node*>(&parent), static_cast<int32_t>(port)}
                             : parent.input(static_cast<size_t>(port));
      offsets[0] = parent_plan.offsets[read.node->index()][static_cast<size_t>(read.index)];
    }
  }
  for (const auto& node : branch.nodes()) {
    // Views of Data nodes follow them.
    for (size_t i = 0; i < node->output_count(); ++i) {
      const Value storage = StorageOf(node->out(static_cast<int32_t>(i)));
      if (storage.node->type() == "Data") {
        plan.offsets[node->index()][i] = plan.offsets[storage.node->index()][0];
      }
    }
    for (size_t i = 0; i < node->subgraphs().size(); ++i) {
      MoveBranch(*node->subgraphs()[i], plan.subgraphs[node->index()][i],
                 plan.workspace_offsets[node->index()], *node, plan);
    }
  }
}

// Plans one graph from offset 0.  In a branch, Data nodes are memory of the graph around it.
GraphPlan PlanGraph(const Graph& graph, bool reuse, bool is_branch, uint64_t* bytes) {
  GraphPlan plan;
  const size_t count = graph.size();
  plan.offsets.resize(count);
  plan.subgraphs.resize(count);
  plan.workspace_bytes.assign(count, 0);
  plan.workspace_offsets.assign(count, 0);

  std::vector<Claim> claims;
  std::vector<std::vector<uint32_t>> claim_of(count);  // per output, of the storage it has
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> workspace_claim(count, kNone);
  const auto claim_at = [&](Value value) {
    return claim_of[value.node->index()][static_cast<size_t>(value.index)];
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
    plan.offsets[step].assign(node->output_count(), kNoOffset);
    claim_of[step].assign(node->output_count(), kNone);
    uint64_t workspace = 0;
    for (const auto& subgraph : node->subgraphs()) {
      uint64_t branch_bytes = 0;
      plan.subgraphs[step].push_back(PlanGraph(*subgraph, reuse, true, &branch_bytes));
      workspace = std::max(workspace, branch_bytes);
    }
    if (workspace != 0) {
      workspace_claim[step] = static_cast<uint32_t>(claims.size());
      claims.push_back({step, step, workspace});
      plan.workspace_bytes[step] = static_cast<int64_t>(workspace);
    }
    const bool is_data = node->type() == "Data";
    if (node->is_const() || (is_data && is_branch)) continue;
    for (size_t i = 0; i < node->output_count(); ++i) {
      const Value value = node->out(static_cast<int32_t>(i));
      const Value storage = StorageOf(value);
      uint32_t& claim = claim_of[step][i];
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
  for (const auto& node : graph.nodes()) {
    const uint32_t step = node->index();
    for (size_t i = 0; i < node->output_count(); ++i) {
      if (claim_of[step][i] == kNone) continue;
      plan.offsets[step][i] = static_cast<int64_t>(claims[claim_of[step][i]].offset);
    }
    if (workspace_claim[step] != kNone) {
      plan.workspace_offsets[step] = static_cast<int64_t>(claims[workspace_claim[step]].offset);
    }
  }
  if (!is_branch) {
    for (const auto& node : graph.nodes()) {
      for (size_t i = 0; i < node->subgraphs().size(); ++i) {
        MoveBranch(*node->subgraphs()[i], plan.subgraphs[node->index()][i],
                   plan.workspace_offsets[node->index()], *node, plan);
      }
    }
  }
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
