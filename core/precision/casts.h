#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "api/precision.h"
#include "passes/rewrite.h"

namespace ge {

// Gives readers of a graph the dtypes they want.
class Casts {
 public:
  // What constants lose goes to `losses`.
  Casts(Graph& graph, bool clip, std::vector<NarrowedConst>& losses)
      : graph_(graph), clip_(clip), losses_(losses), removal_(graph) {}

  // Input i of `node` is read as `dtype` from now on.
  void Read(Node& node, size_t i, DataType dtype);
  // What `value` was before a Cast that only widened it; kUndefined for constants and inputs.
  DataType ProducerOf(Value value) const;
  // `cast` does nothing; Finish() takes it out.
  void NoteNoop(Node& cast) { noops_.push_back(&cast); }
  // To call once, at the end: nodes without readers go, and the rest is in order again.
  void Finish();

 private:
  Value Converted(Node& constant, DataType dtype);
  Value CastTo(Value value, DataType dtype);

  using Key = std::tuple<uint32_t, int32_t, DataType>;  // node, output, dtype

  Graph& graph_;
  const bool clip_;
  std::vector<NarrowedConst>& losses_;
  Removal removal_;
  std::map<Key, Value> made_;
  std::vector<Node*> noops_;
  size_t casts_ = 0;
};

}  // namespace ge
