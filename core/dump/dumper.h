#pragma once

#include <string>
#include <string_view>

#include "api/dump.h"
#include "base/status.h"
#include "om/model_def.h"
#include "task/layout.h"

namespace ge {

// Writes the graph of a compile at the stages that were asked for, as
// ge_onnx_00000000_graph_0_<stage>.pbtxt and ge_proto_00000000_graph_0_<stage>.txt; the number
// counts the dumped stages.
class Dumper {
 public:
  Dumper(const DumpRequest& request, const om::ModelFacts& facts)
      : request_(request), facts_(facts) {}

  // Before the plan: offsets are -1.
  Status Dump(std::string_view stage, const Graph& graph);
  Status Dump(std::string_view stage, const ModelLayout& layout);

 private:
  bool Wants(std::string_view stage) const;
  Status Write(std::string_view stage, const ModelLayout& layout);

  const DumpRequest& request_;
  const om::ModelFacts& facts_;
  size_t dumped_ = 0;
};

// One graph, with its weights, in the form of ge_onnx_*.pbtxt or of ge_proto_*.txt.
Status DumpAsText(const Graph& graph, bool onnx, std::string* text);

}  // namespace ge
