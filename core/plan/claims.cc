#include "plan/claims.h"

#include <algorithm>
#include <optional>

#include "plan/arena.h"
#include "plan/storage.h"

namespace ge {
namespace {

class ClaimBuilder {
 public:
  ClaimBuilder(const Graph& graph, std::span<const uint32_t> order, const ClaimOptions& options)
      : graph_(graph), order_(order), options_(options), step_of_(order.size()) {
    for (uint32_t step = 0; step < order.size(); ++step) step_of_[order[step]] = step;
    result_.first_output.reserve(graph.size());
    uint32_t outputs = 0;
    for (const auto& node : graph.nodes()) {
      result_.first_output.push_back(outputs);
      outputs += static_cast<uint32_t>(node->output_count());
    }
    result_.places.resize(outputs);
  }

  GraphClaims Build(const std::map<uint32_t, uint64_t>& workspaces) {
    for (const uint32_t index : order_) {
      const Node& node = *graph_.nodes()[index];
      if (!node.subgraphs().empty()) AddWorkspace(index, workspaces.at(index));
      if (node.is_const() || (IsData(node) && options_.is_branch)) continue;
      for (size_t i = 0; i < node.output_count(); ++i) {
        const GraphClaims::Place place = PlaceFor(node, i);
        result_.places[result_.first_output[index] + i] = place;
        if (place.claim == kNoClaim) continue;
        uint32_t& last = result_.claims[place.claim].last_step;
        for (const Use& use : node.uses(i)) last = std::max(last, step_of_[use.node->index()]);
      }
    }
    return std::move(result_);
  }

 private:
  static bool IsData(const Node& node) { return node.type() == "Data"; }

  uint32_t Add(Claim claim) {
    result_.claims.push_back(claim);
    return static_cast<uint32_t>(result_.claims.size() - 1);
  }

  void AddWorkspace(uint32_t index, uint64_t bytes) {
    if (bytes != 0) result_.workspaces[index] = Add({step_of_[index], step_of_[index], bytes});
  }

  GraphClaims::Place PlaceFor(const Node& node, size_t output) {
    if (const std::optional<Storage> viewed = ViewedBy(node, output, options_.parts)) {
      GraphClaims::Place place = result_.PlaceOf(viewed->root);
      place.offset += viewed->offset;
      result_.has_parts |= !ViewedBy(node, output, false);
      return place;
    }
    const std::optional<int64_t> bytes = BytesOf(node.output(output));
    if (!bytes) return {};
    if (options_.overwrite) {
      const uint32_t claim = Overwritten(node, static_cast<uint64_t>(*bytes));
      if (claim != kNoClaim) return {claim, 0};
    }
    const uint32_t step = step_of_[node.index()];
    return {Add({IsData(node) ? 0 : step, step, static_cast<uint64_t>(*bytes)}), 0};
  }

  // The claim of an input that `node` is the last to read and may overwrite.  It must be all of the
  // claim, or more memory than needed would live on; nor may another input be a part of it.
  uint32_t Overwritten(const Node& node, uint64_t bytes) const {
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (!MayOverwrite(node, i)) continue;
      const uint32_t claim = result_.PlaceOf(node.input(i)).claim;
      if (claim == kNoClaim || result_.claims[claim].bytes != bytes ||
          result_.claims[claim].last_step != step_of_[node.index()]) {
        continue;
      }
      if (!ReadsPartOf(node, claim)) return claim;
    }
    return kNoClaim;
  }

  bool ReadsPartOf(const Node& node, uint32_t claim) const {
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (!input || result_.PlaceOf(input).claim != claim) continue;
      if (static_cast<uint64_t>(*BytesOf(input.desc())) != result_.claims[claim].bytes) return true;
    }
    return false;
  }

  const Graph& graph_;
  const std::span<const uint32_t> order_;
  const ClaimOptions options_;
  std::vector<uint32_t> step_of_;  // by index
  GraphClaims result_;
};

}  // namespace

GraphClaims ClaimsOf(const Graph& graph, std::span<const uint32_t> order,
                     const std::map<uint32_t, uint64_t>& workspaces, const ClaimOptions& options) {
  return ClaimBuilder(graph, order, options).Build(workspaces);
}

uint64_t LeastOfAnyOrder(const Graph& graph, const GraphClaims& claims) {
  std::vector<uint32_t> touched;
  const auto touched_bytes = [&](const Node& node, bool with_outputs) {
    touched.clear();
    const auto workspace = claims.workspaces.find(node.index());
    if (workspace != claims.workspaces.end()) touched.push_back(workspace->second);
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (node.input(i)) touched.push_back(claims.PlaceOf(node.input(i)).claim);
    }
    for (const GraphClaims::Place& place : claims.PlacesOf(node)) {
      if (with_outputs) touched.push_back(place.claim);
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
  for (const auto& node : graph.nodes()) {
    if (touched_bytes(*node, true) <= most) continue;
    bool may_overwrite = false;  // in some order
    for (size_t i = 0; i < node->input_count(); ++i) may_overwrite |= MayOverwrite(*node, i);
    most = std::max(most, touched_bytes(*node, !may_overwrite));
  }
  return most;
}

}  // namespace ge
