#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "ir/graph.h"

namespace ge::om {

// The graphs of a model definition.
struct ReadGraphs {
  std::unique_ptr<Graph> root;  // branches and bodies belong to their nodes
  AttrMap attrs;                // of the model
  std::string name;
  std::unordered_map<int64_t, Node*> by_id;
  // Offsets of outputs in the arena, as in GraphPlan; nodes without any are not in the map.
  std::unordered_map<const Node*, std::vector<int64_t>> offsets;
  // Kernels that nodes name, by their names; views into the file.
  std::unordered_map<std::string, std::string_view> kernels;
};

// Reads MODEL_DEF into the IR.  Bytes of constants are views into `weights`, which must be a part
// of `file`, or of other memory that the pointer owns and that it does not point to (it is then
// null).  Nodes are in the order of the file.  Attributes that the IR has no use for are left
// out.  E10041 when the bytes are no model definition or the graph does not hang together.
Result<ReadGraphs> ReadModelDef(std::string_view model_def, std::span<const uint8_t> weights,
                                const std::shared_ptr<const MappedFile>& file);

}  // namespace ge::om
