#include "plan/plan.h"

#include <algorithm>

#include "plan/arena.h"
#include "plan/claims.h"
#include "plan/order.h"
#include "plan/storage.h"

namespace ge {
namespace {

bool HasUnknownSizes(const Graph& graph) {
  return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const auto& node) {
    for (size_t i = 0; i < node->output_count(); ++i) {
      if (!BytesOf(node->output(i))) return true;
    }
    return std::any_of(node->subgraphs().begin(), node->subgraphs().end(),
                       [](const auto& subgraph) { return HasUnknownSizes(*subgraph); });
  });
}

// Where a Data node of a subgraph of `parent` lies: branches of an If read its inputs, the graphs
// of a While the states, which are its outputs.
int64_t OffsetOfData(const Node& data, const Node& parent, const GraphPlan& parent_plan) {
  const int64_t port = *data.attrs().Get<int64_t>("_parent_node_index");
  return parent_plan.OffsetOf(parent.type() == "While"
                                  ? Value{const_cast<Node*>(&parent), static_cast<int32_t>(port)}
                                  : parent.input(static_cast<size_t>(port)));
}

void MoveBranches(const Graph& graph, GraphPlan& plan);

// Adds `base` to every offset of a branch; its Data nodes are memory of the graph around.
void MoveBranch(const Graph& branch, GraphPlan& plan, int64_t base, const Node& parent,
                const GraphPlan& parent_plan) {
  for (auto& [index, inner] : plan.branches) {
    if (inner.workspace_bytes != 0) inner.workspace_offset += base;
  }
  for (const auto& node : branch.nodes()) {
    for (size_t i = 0; i < node->output_count(); ++i) {
      int64_t& offset = plan.OffsetsOf(*node)[i];
      if (offset != kNoOffset) offset += base;
      const Storage storage = StorageOf(node->out(static_cast<int32_t>(i)), plan.parts);
      if (storage.root.node->type() != "Data") continue;
      const int64_t data = OffsetOfData(*storage.root.node, parent, parent_plan);
      offset = data == kNoOffset ? kNoOffset : data + static_cast<int64_t>(storage.offset);
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

// Plans one graph from offset 0.
class GraphPlanner {
 public:
  GraphPlanner(const Graph& graph, bool reuse, NodeOrder order, bool is_branch)
      : graph_(graph), reuse_(reuse), order_(order), is_branch_(is_branch) {}

  // Sets the size of the arena and its LowerBound().
  GraphPlan Plan(uint64_t* bytes, uint64_t* lower_bound) {
    PlanSubgraphs();
    const Attempt best = BestAttempt();
    *bytes = best.bytes;
    *lower_bound = best.lower_bound;
    return PlanOf(best);
  }

 private:
  // The claims of one order, placed.
  struct Attempt {
    std::vector<uint32_t> order;
    GraphClaims claims;
    bool parts = false;
    uint64_t bytes = UINT64_MAX;
    uint64_t lower_bound = 0;
  };

  void PlanSubgraphs() {
    for (const auto& node : graph_.nodes()) {
      for (const auto& subgraph : node->subgraphs()) {
        uint64_t bytes = 0, lower_bound = 0;
        BranchPlan& branches = branches_[node->index()];
        branches.graphs.push_back(
            GraphPlanner(*subgraph, reuse_, order_, true).Plan(&bytes, &lower_bound));
        uint64_t& workspace = workspaces_[node->index()];
        workspace = std::max(workspace, bytes);
      }
    }
  }

  Attempt BestAttempt() {
    const bool tries_orders = order_ == NodeOrder::kLeastMemory;
    Attempt best;
    Try(OrderOfNodes(graph_, tries_orders ? NodeOrder::kStable : order_), best);
    if (!tries_orders || !reuse_ || best.bytes == LeastOfAnyOrder(graph_, best.claims)) return best;
    for (const NodeOrder order : {NodeOrder::kLeastMemory, NodeOrder::kReverseDepthFirst}) {
      Try(OrderOfNodes(graph_, order), best);
    }
    return best;
  }

  // Keeps what needs the least.  Views of parts save copies, so they are tried first.
  void Try(const std::vector<uint32_t>& order, Attempt& best) {
    bool has_parts = true;
    for (const bool parts : {true, false}) {
      if (!has_parts) return;
      const ClaimOptions options{.overwrite = reuse_, .parts = parts, .is_branch = is_branch_};
      Attempt attempt{order, ClaimsOf(graph_, order, workspaces_, options), parts};
      has_parts = attempt.claims.has_parts;
      attempt.lower_bound = LowerBound(attempt.claims.claims);
      if (attempt.lower_bound >= best.bytes) continue;
      attempt.bytes = PlaceClaims(attempt.claims.claims, reuse_);
      if (attempt.bytes < best.bytes) best = std::move(attempt);
    }
  }

  GraphPlan PlanOf(const Attempt& attempt) {
    const std::vector<Claim>& claims = attempt.claims.claims;
    GraphPlan plan;
    plan.order = attempt.order;
    plan.parts = attempt.parts;
    plan.first_output = attempt.claims.first_output;
    plan.offsets.reserve(attempt.claims.places.size());
    for (const auto& [claim, offset] : attempt.claims.places) {
      plan.offsets.push_back(
          claim == kNoClaim ? kNoOffset : static_cast<int64_t>(claims[claim].offset + offset));
    }
    for (const auto& [index, claim] : attempt.claims.workspaces) {
      branches_[index].workspace_bytes = static_cast<int64_t>(claims[claim].bytes);
      branches_[index].workspace_offset = static_cast<int64_t>(claims[claim].offset);
    }
    plan.branches = std::move(branches_);
    return plan;
  }

  const Graph& graph_;
  const bool reuse_;
  const NodeOrder order_;
  const bool is_branch_;
  std::map<uint32_t, uint64_t> workspaces_;  // bytes, by Node::index()
  std::map<uint32_t, BranchPlan> branches_;
};

}  // namespace

bool GraphPlan::IsView(const Node& node) const {
  for (size_t i = 0; i < node.output_count(); ++i) {
    const std::optional<Storage> viewed = ViewedBy(node, i, parts);
    if (!viewed) return false;
    const int64_t offset = OffsetOf(viewed->root);
    if (offset == kNoOffset ||
        OffsetsOf(node)[i] != offset + static_cast<int64_t>(viewed->offset)) {
      return false;
    }
  }
  return node.output_count() != 0;
}

MemoryPlan PlanMemory(const Graph& graph, bool reuse, NodeOrder order) {
  MemoryPlan plan;
  plan.graph =
      GraphPlanner(graph, reuse, order, false).Plan(&plan.arena_bytes, &plan.lower_bound_bytes);
  plan.has_unknown_sizes = HasUnknownSizes(graph);
  MoveBranches(graph, plan.graph);
  return plan;
}

}  // namespace ge
