#include "plan/claims.h"

#include <algorithm>

#include "plan/arena.h"

namespace ge {
namespace {

using Role = FlatGraph::Role;

class ClaimBuilder {
 public:
  ClaimBuilder(const FlatGraph& graph, std::span<const uint32_t> order, const ClaimOptions& options)
      : graph_(graph),
        order_(order),
        options_(options),
        roots_(graph.roots(options.parts)),
        step_of_(order.size()) {
    for (uint32_t step = 0; step < order.size(); ++step) step_of_[order[step]] = step;
    result_.places.resize(graph.outputs());
  }

  GraphClaims Build(const std::map<uint32_t, uint64_t>& workspaces) {
    for (const uint32_t node : order_) {
      if (!workspaces.empty()) AddWorkspace(node, workspaces);
      const Role role = graph_.roles[node];
      if (role == Role::kConst || (role == Role::kData && options_.is_branch)) continue;
      const uint32_t end = graph_.first_output[node + 1];
      for (uint32_t output = graph_.first_output[node]; output < end; ++output) {
        const GraphClaims::Place place = PlaceFor(node, output);
        result_.places[output] = place;
        if (place.claim == kNoClaim) continue;
        uint32_t& last = result_.claims[place.claim].last_step;
        for (const uint32_t reader : graph_.readers[output]) {
          last = std::max(last, step_of_[reader]);
        }
      }
    }
    return std::move(result_);
  }

 private:
  uint32_t Add(Claim claim) {
    result_.claims.push_back(claim);
    return static_cast<uint32_t>(result_.claims.size() - 1);
  }

  void AddWorkspace(uint32_t node, const std::map<uint32_t, uint64_t>& workspaces) {
    const auto found = workspaces.find(node);
    if (found == workspaces.end() || found->second == 0) return;
    result_.workspaces[node] = Add({step_of_[node], step_of_[node], found->second});
  }

  GraphClaims::Place PlaceFor(uint32_t node, uint32_t output) {
    const FlatGraph::Root root = roots_[output];
    if (root.output != output) {
      const GraphClaims::Place& place = result_.places[root.output];
      return {place.claim, place.offset + root.offset};
    }
    if (graph_.bytes[output] == kUnknownBytes) return {};
    const auto bytes = static_cast<uint64_t>(graph_.bytes[output]);
    if (options_.overwrite) {
      const uint32_t claim = Overwritten(node, bytes);
      if (claim != kNoClaim) return {claim, 0};
    }
    const uint32_t step = step_of_[node];
    return {Add({graph_.roles[node] == Role::kData ? 0 : step, step, bytes}), 0};
  }

  // The claim of an input that `node` is the last to read and may overwrite.  It must be all of the
  // claim, or more memory than needed would live on; nor may another input be a part of it.
  uint32_t Overwritten(uint32_t node, uint64_t bytes) const {
    for (const uint32_t i : graph_.overwritable[node]) {
      const uint32_t claim = result_.places[graph_.inputs[node][i]].claim;
      if (claim == kNoClaim || result_.claims[claim].bytes != bytes ||
          result_.claims[claim].last_step != step_of_[node]) {
        continue;
      }
      if (!ReadsPartOf(node, claim)) return claim;
    }
    return kNoClaim;
  }

  bool ReadsPartOf(uint32_t node, uint32_t claim) const {
    return std::ranges::any_of(graph_.inputs[node], [&](uint32_t input) {
      return input != kNoOutput && result_.places[input].claim == claim &&
             static_cast<uint64_t>(graph_.bytes[input]) != result_.claims[claim].bytes;
    });
  }

  const FlatGraph& graph_;
  const std::span<const uint32_t> order_;
  const ClaimOptions options_;
  const std::vector<FlatGraph::Root>& roots_;
  std::vector<uint32_t> step_of_;  // by index
  GraphClaims result_;
};

}  // namespace

GraphClaims ClaimsOf(const FlatGraph& graph, std::span<const uint32_t> order,
                     const std::map<uint32_t, uint64_t>& workspaces, const ClaimOptions& options) {
  return ClaimBuilder(graph, order, options).Build(workspaces);
}

uint64_t LeastOfAnyOrder(const FlatGraph& graph, const GraphClaims& claims) {
  std::vector<uint32_t> touched;
  const auto touched_bytes = [&](uint32_t node, bool with_outputs) {
    touched.clear();
    const auto workspace = claims.workspaces.find(node);
    if (workspace != claims.workspaces.end()) touched.push_back(workspace->second);
    for (const uint32_t input : graph.inputs[node]) {
      if (input != kNoOutput) touched.push_back(claims.places[input].claim);
    }
    const uint32_t end = with_outputs ? graph.first_output[node + 1] : 0;
    for (uint32_t output = graph.first_output[node]; output < end; ++output) {
      touched.push_back(claims.places[output].claim);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    uint64_t bytes = 0;
    for (const uint32_t claim : touched) {
      if (claim != kNoClaim) bytes += AlignArena(claims.claims[claim].bytes);
    }
    return bytes;
  };
  uint64_t most = 0;
  for (uint32_t node = 0; node < graph.nodes(); ++node) {
    if (touched_bytes(node, true) <= most) continue;
    const bool may_overwrite = !graph.overwritable[node].empty();  // in some order
    most = std::max(most, touched_bytes(node, !may_overwrite));
  }
  return most;
}

}  // namespace ge
