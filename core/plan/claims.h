#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "api/testing.h"
#include "plan/flat_graph.h"

namespace ge {

inline constexpr uint32_t kNoClaim = UINT32_MAX;

struct ClaimOptions {
  bool overwrite = true;   // operators may write where an input dies
  bool parts = true;       // parts of an input are views of it
  bool is_branch = false;  // Data nodes are memory of the graph around
};

// What the nodes of a graph want of the arena when they run in some order.
struct GraphClaims {
  struct Place {
    uint32_t claim = kNoClaim;  // none: a constant, a size that is not known, memory of elsewhere
    uint64_t offset = 0;        // in the claim
  };
  std::vector<Claim> claims;
  std::vector<Place> places;                // of all outputs of all nodes
  std::map<uint32_t, uint32_t> workspaces;  // claims of nodes, by Node::index()
};

// `order` has the indices of the nodes as they run; `workspaces` the bytes that nodes with
// subgraphs work in, by Node::index().
GraphClaims ClaimsOf(const FlatGraph& graph, std::span<const uint32_t> order,
                     const std::map<uint32_t, uint64_t>& workspaces, const ClaimOptions& options);

// What a single node reads and writes: no order of the nodes needs a smaller arena.
uint64_t LeastOfAnyOrder(const FlatGraph& graph, const GraphClaims& claims);

}  // namespace ge
