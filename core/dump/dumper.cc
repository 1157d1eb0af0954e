#include "dump/dumper.h"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "base/atomic_file.h"
#include "dump/onnx_form.h"
#include "wire/message_to_text.h"

namespace ge {
namespace {

// A graph in its present order, with no tensor in a place.
GraphPlan Unplaced(const Graph& graph) {
  GraphPlan plan;
  plan.order.resize(graph.size());
  std::iota(plan.order.begin(), plan.order.end(), 0);
  for (const auto& node : graph.nodes()) {
    plan.first_output.push_back(static_cast<uint32_t>(plan.offsets.size()));
    plan.offsets.resize(plan.offsets.size() + node->output_count(), kNoOffset);
    for (const auto& subgraph : node->subgraphs()) {
      plan.branches[node->index()].graphs.push_back(Unplaced(*subgraph));
    }
  }
  return plan;
}

Status WriteText(const std::string& path, std::string_view type, const std::string& message) {
  GE_ASSIGN(AtomicFile file, AtomicFile::Create(path));
  GE_TRY(wire::MessageToText(wire::FindMessage(type), message,
                             [&](std::span<const uint8_t> bytes) { return file.Write(bytes); }));
  return file.Commit();
}

}  // namespace

bool Dumper::Wants(std::string_view stage) const {
  return request_.detail != DumpRequest::Detail::kNone &&
         std::find(request_.stages.begin(), request_.stages.end(), stage) != request_.stages.end();
}

Status Dumper::Dump(std::string_view stage, const Graph& graph) {
  if (!Wants(stage)) return Status::Ok();
  MemoryPlan memory;
  memory.graph = Unplaced(graph);
  return Write(stage, LayOut(graph, std::move(memory)));
}

Status Dumper::Dump(std::string_view stage, const ModelLayout& layout) {
  return Wants(stage) ? Write(stage, layout) : Status::Ok();
}

Status Dumper::Write(std::string_view stage, const ModelLayout& layout) {
  char number[32];
  std::snprintf(number, sizeof(number), "%08zu", dumped_++);
  const auto path = [&](const std::string& kind, const char* suffix) {
    return request_.folder + "/ge_" + kind + "_" + number + "_graph_0_" + std::string(stage) +
           suffix;
  };
  if (request_.onnx) {
    GE_TRY(WriteText(path("onnx", ".pbtxt"), "onnx.ModelProto",
                     OnnxForm(*layout.graphs.front().graph, request_.detail)));
  }
  if (request_.proto) {
    om::ModelFacts facts = facts_;
    facts.inline_constants = request_.detail == DumpRequest::Detail::kFull;
    GE_TRY(WriteText(path("proto", ".txt"), "ge.proto.ModelDef",
                     om::BuildModelDef(layout, TaskList(), facts)));
  }
  return Status::Ok();
}

Status DumpAsText(const Graph& graph, bool onnx, std::string* text) {
  MemoryPlan memory;
  memory.graph = Unplaced(graph);
  const ModelLayout layout = LayOut(graph, std::move(memory));
  om::ModelFacts facts;
  facts.name = graph.name();
  facts.inline_constants = true;
  const std::string message = onnx ? OnnxForm(graph, DumpRequest::Detail::kFull)
                                   : om::BuildModelDef(layout, TaskList(), facts);
  return wire::MessageToText(wire::FindMessage(onnx ? "onnx.ModelProto" : "ge.proto.ModelDef"),
                             message, [&](std::span<const uint8_t> bytes) {
                               text->append(reinterpret_cast<const char*>(bytes.data()),
                                            bytes.size());
                               return Status::Ok();
                             });
}

}  // namespace ge
