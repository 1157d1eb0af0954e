#include "plan/plan.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "plan/arena.h"
#include "plan/claims.h"
#include "plan/flat_graph.h"
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
      : graph_(graph), flat_(graph), reuse_(reuse), order_(order), is_branch_(is_branch) {}

  // Sets the size of the arena and its LowerBound().
  GraphPlan Plan(uint64_t* bytes, uint64_t* lower_bound) {
    PlanSubgraphs();
    const Attempt best = BestAttempt();
    *bytes = best.bytes;
    *lower_bound = best.lower_bound;
    return PlanOf(best);
  }

 private:
  // The claims of one order; `bytes` once they are placed.
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

  // An order that needs no more than any order must ends the search.
  Attempt BestAttempt() {
    const bool tries_orders = order_ == NodeOrder::kLeastMemory && reuse_;
    std::vector<Attempt> attempts;
    AddAttempts(order_ == NodeOrder::kLeastMemory ? NodeOrder::kStable : order_, attempts);
    if (!tries_orders) return std::move(PlaceBest(attempts));
    uint64_t least = UINT64_MAX, bound = UINT64_MAX;
    for (const Attempt& attempt : attempts) {
      least = std::min(least, LeastOfAnyOrder(flat_, attempt.claims));
      bound = std::min(bound, attempt.lower_bound);
    }
    if (bound == least) {
      Attempt& best = PlaceBest(attempts);
      if (best.bytes == least) return std::move(best);
    }
    AddAttempts(NodeOrder::kLeastMemory, attempts);
    AddAttempts(NodeOrder::kReverseDepthFirst, attempts);
    return std::move(PlaceBest(attempts));
  }

  // Views of parts save copies, so they come first.
  void AddAttempts(NodeOrder order, std::vector<Attempt>& attempts) {
    const std::vector<uint32_t> nodes = OrderOfNodes(flat_, order);
    for (const bool parts : {true, false}) {
      if (parts && !flat_.has_parts) continue;
      const ClaimOptions options{.overwrite = reuse_, .parts = parts, .is_branch = is_branch_};
      Attempt attempt{nodes, ClaimsOf(flat_, nodes, workspaces_, options), parts};
      attempt.lower_bound = LowerBound(attempt.claims.claims);
      attempts.push_back(std::move(attempt));
    }
  }

  // The first of those that need the least.  Begins with the lowest bounds, and places no attempt
  // whose bound says that it cannot be the one.
  Attempt& PlaceBest(std::vector<Attempt>& attempts) const {
    std::vector<size_t> by_bound(attempts.size());
    std::iota(by_bound.begin(), by_bound.end(), size_t{0});
    std::ranges::stable_sort(by_bound, {}, [&](size_t i) { return attempts[i].lower_bound; });
    size_t best = by_bound[0];
    for (const size_t i : by_bound) {
      Attempt& attempt = attempts[i];
      const auto loses = [&](uint64_t bytes) {
        return std::pair(bytes, i) > std::pair(attempts[best].bytes, best);
      };
      if (loses(attempt.lower_bound)) continue;
      if (attempt.bytes == UINT64_MAX) attempt.bytes = PlaceClaims(attempt.claims.claims, reuse_);
      if (!loses(attempt.bytes)) best = i;
    }
    return attempts[best];
  }

  GraphPlan PlanOf(const Attempt& attempt) {
    const std::vector<Claim>& claims = attempt.claims.claims;
    GraphPlan plan;
    plan.order = attempt.order;
    plan.parts = attempt.parts;
    plan.first_output = flat_.first_output;
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
  const FlatGraph flat_;
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
