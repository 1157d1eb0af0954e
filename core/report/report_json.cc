// The report of a compile (docs/report.md).
#include <charconv>
#include <map>

#include "base/xxh64.h"
#include "om/model_def.h"
#include "ops/op_impl.h"
#include "report/record.h"
#include "wire/json_writer.h"

namespace ge {
namespace {

using wire::JsonWriter;

constexpr uint64_t kSchema = 1;

void WriteText(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key);
  json.Text(text);
}

void WriteNumber(JsonWriter& json, std::string_view key, uint64_t number) {
  json.Key(key);
  json.Uint(number);
}

void WriteTexts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts) {
  json.Key(key);
  json.BeginArray();
  for (const std::string& text : texts) json.Text(text);
  json.EndArray();
}

void WriteShape(JsonWriter& json, const Shape& shape) {
  if (shape.unknown_rank()) return json.Null();
  json.BeginArray();
  for (const int64_t dim : shape.dims()) json.Int(dim);
  json.EndArray();
}

void WriteProblem(JsonWriter& json, const Problem& problem) {
  WriteText(json, "code", CodeOf(problem));
  WriteText(json, "text", problem.message);
  WriteText(json, "cause", problem.cause);
  WriteText(json, "solution", problem.solution);
}

void WriteErrors(JsonWriter& json, const Status& status) {
  json.Key("errors");
  json.BeginArray();
  for (const Problem& problem : status.problems()) {
    if (problem.id == ErrorId::kInterrupted) continue;
    json.BeginObject();
    WriteProblem(json, problem);
    WriteText(json, "node", problem.node);
    json.EndObject();
  }
  json.EndArray();
}

// Warnings that say the same of several nodes.
struct FoldedWarning {
  const Problem* first;
  uint64_t count = 0;
  std::vector<std::string> nodes;
};

std::vector<FoldedWarning> Fold(const std::vector<Problem>& warnings) {
  std::vector<FoldedWarning> folded;
  std::map<std::pair<ErrorId, std::string>, size_t> known;
  for (const Problem& warning : warnings) {
    std::string text = warning.message;
    const size_t at = warning.node.empty() ? std::string::npos : text.find(warning.node);
    if (at != std::string::npos) text.erase(at, warning.node.size());
    const auto [entry, is_new] = known.try_emplace({warning.id, std::move(text)}, folded.size());
    if (is_new) folded.push_back({&warning, 0, {}});
    FoldedWarning& row = folded[entry->second];
    ++row.count;
    if (!warning.node.empty()) row.nodes.push_back(warning.node);
  }
  return folded;
}

void WriteWarnings(JsonWriter& json, const std::vector<Problem>& warnings) {
  json.Key("warnings");
  json.BeginArray();
  for (const FoldedWarning& warning : Fold(warnings)) {
    json.BeginObject();
    WriteProblem(json, *warning.first);
    WriteNumber(json, "count", warning.count);
    WriteTexts(json, "nodes", warning.nodes);
    json.EndObject();
  }
  json.EndArray();
}

void WritePort(JsonWriter& json, std::string_view name, const TensorDesc& desc) {
  json.BeginRow();
  WriteText(json, "name", name);
  WriteText(json, "dtype", UserName(desc.dtype));
  json.Key("shape");
  WriteShape(json, desc.shape);
  WriteText(json, "format", FormatName(desc.format));
  json.EndObject();
}

void WritePorts(JsonWriter& json, const Graph* root) {
  json.Key("inputs");
  json.BeginArray();
  if (root != nullptr) {
    for (const Node* input : root->InputNodes()) {
      WritePort(json, input->source_name(), input->output(0));
    }
  }
  json.EndArray();
  json.Key("outputs");
  json.BeginArray();
  if (root != nullptr) {
    for (size_t i = 0; i < root->net_output()->input_count(); ++i) {
      WritePort(json, root->output_names()[i], root->net_output()->input(i).desc());
    }
  }
  json.EndArray();
}

// Rows of operators are most of a report, and made without the steps of a JsonWriter.
void AppendShape(std::string& row, const Shape& shape) {
  if (shape.unknown_rank()) {
    row += "null";
    return;
  }
  row += '[';
  for (size_t i = 0; i < shape.rank(); ++i) {
    if (i != 0) row += ", ";
    char text[32];
    row.append(text, std::to_chars(text, text + sizeof(text), shape[i]).ptr);
  }
  row += ']';
}

void SetOperatorRow(std::string& row, const Node& node, std::string_view graph) {
  row = "{\"name\": ";
  wire::AppendQuoted(row, node.name());
  row += ", \"type\": ";
  wire::AppendQuoted(row, node.type());
  row += ", \"sources\": [";
  const std::vector<std::string> sources = node.source_names();
  for (size_t i = 0; i < sources.size(); ++i) {
    if (i != 0) row += ", ";
    wire::AppendQuoted(row, sources[i]);
  }
  row += "], \"dtype\": \"";
  if (node.output_count() != 0) row += UserName(node.output(0).dtype);
  row += "\", \"shapes\": [";
  for (size_t i = 0; i < node.output_count(); ++i) {
    if (i != 0) row += ", ";
    AppendShape(row, node.output(i).shape);
  }
  row += "], \"graph\": ";
  row += graph;
  row += '}';
}

void WriteOperators(JsonWriter& json, const ModelLayout& layout) {
  json.Key("graphs");
  json.BeginArray();
  for (const GraphLayout& graph : layout.graphs) json.Text(graph.graph->name());
  json.EndArray();
  json.Key("operators");
  json.BeginArray();
  std::string row;
  for (size_t i = 0; i < layout.graphs.size(); ++i) {
    const std::string graph = std::to_string(i);
    for (const uint32_t index : layout.graphs[i].plan->order) {
      const Node& node = *layout.graphs[i].graph->nodes()[index];
      if (node.is_const() || node.type() == "Data" || node.type() == "NetOutput") continue;
      SetOperatorRow(row, node, graph);
      json.Json(row);
    }
  }
  json.EndArray();
}

void WritePasses(JsonWriter& json, const std::vector<PassRun>& passes) {
  json.Key("passes");
  json.BeginArray();
  for (const PassRun& run : passes) {
    if (run.places == 0) continue;
    json.BeginRow();
    WriteText(json, "name", run.pass.name);
    WriteText(json, "atc_name", run.pass.atc_name);
    WriteNumber(json, "count", run.places);
    json.EndObject();
  }
  json.EndArray();
}

void WriteLowered(JsonWriter& json, const std::vector<LoweredNode>& nodes) {
  std::map<std::pair<DataType, DataType>, std::vector<const std::string*>> groups;
  for (const LoweredNode& node : nodes) groups[{node.from, node.to}].push_back(&node.name);
  json.Key("lowered");
  json.BeginArray();
  for (const auto& [dtypes, names] : groups) {
    json.BeginRow();
    WriteText(json, "from", UserName(dtypes.first));
    WriteText(json, "to", UserName(dtypes.second));
    json.Key("nodes");
    json.BeginArray();
    for (const std::string* name : names) json.Text(*name);
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
}

void WritePrecision(JsonWriter& json, const PrecisionReport& report) {
  json.Key("precision");
  json.BeginObject();
  WriteLowered(json, report.lowered);
  WriteTexts(json, "kept_for_range", report.kept_for_range);
  WriteTexts(json, "at_risk", report.at_risk);
  json.Key("constants");
  json.BeginArray();
  for (const NarrowedConst& constant : report.constants) {
    json.BeginRow();
    WriteText(json, "name", constant.name);
    WriteText(json, "dtype", UserName(constant.dtype));
    WriteNumber(json, "elements", constant.elements);
    WriteNumber(json, "beyond", constant.beyond);
    WriteNumber(json, "vanished", constant.vanished);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
}

uint64_t WorkspaceOf(const GraphPlan& plan) {
  uint64_t bytes = 0;
  for (const auto& [index, branches] : plan.branches) {
    bytes += static_cast<uint64_t>(branches.workspace_bytes);
  }
  return bytes;
}

void WriteMemory(JsonWriter& json, const ModelLayout& layout) {
  json.Key("memory");
  json.BeginObject();
  WriteNumber(json, "weight_bytes", layout.weights.bytes);
  WriteNumber(json, "arena_bytes", layout.memory->arena_bytes);
  WriteNumber(json, "arena_lower_bound_bytes", layout.memory->lower_bound_bytes);
  WriteNumber(json, "workspace_bytes", WorkspaceOf(layout.memory->graph));
  json.EndObject();
}

void WriteOutput(JsonWriter& json, const om::WrittenModel& written) {
  json.Key("output");
  json.BeginObject();
  WriteText(json, "file", written.file_name);
  WriteNumber(json, "bytes", written.file_bytes);
  json.Key("xxh64");
  json.BeginObject();
  WriteText(json, "model_def", Xxh64(written.model_def));
  WriteText(json, "task_info", Xxh64(written.task_info));
  json.EndObject();
  json.EndObject();
}

void WriteTimings(JsonWriter& json, const Progress& progress) {
  const auto milliseconds = [](std::chrono::nanoseconds time) {
    return static_cast<double>(time.count() / 1000) / 1000;
  };
  std::chrono::nanoseconds total{0};
  json.Key("timings_ms");
  json.BeginRow();
  for (size_t i = 0; i < kStages.size(); ++i) {
    const std::chrono::nanoseconds time = progress.TimeOf(static_cast<Stage>(i));
    total += time;
    json.Key(kStages[i].name);
    json.Double(milliseconds(time));
  }
  json.Key("total");
  json.Double(milliseconds(total));
  json.EndObject();
}

}  // namespace

void ForgetConstants(Graph& graph) {
  for (const auto& node : graph.nodes()) {
    if (node->is_const()) node->SetValue({});
    for (const auto& subgraph : node->subgraphs()) ForgetConstants(*subgraph);
  }
}

namespace api {

std::shared_ptr<CompileRecord> NewRecord() {
  return std::make_shared<CompileRecord>();
}

const Progress& ProgressOf(const CompileRecord& record) {
  return record.progress;
}

Status WriteReport(const ReportFacts& facts, const CompileRecord& record, const ReportSink& sink) {
  const bool finished = record.graph != nullptr;
  const bool interrupted = facts.status.id() == ErrorId::kInterrupted;
  JsonWriter json(sink);
  json.BeginObject();
  WriteNumber(json, "schema", kSchema);
  json.Key("product");
  json.BeginRow();
  WriteText(json, "name", "pyatc");
  WriteText(json, "version", GE_VERSION);
  json.EndObject();
  WriteText(json, "status", facts.status.ok() ? "success" : interrupted ? "interrupted" : "failed");
  WriteErrors(json, facts.status);
  WriteWarnings(json, facts.warnings);
  WriteText(json, "soc_version", facts.soc_version);
  WriteText(json, "command_line", facts.command_line);
  json.Key("flags");
  json.BeginObject();
  for (const auto& [name, value] : facts.flags) WriteText(json, name, value);
  json.EndObject();
  WritePorts(json, record.graph.get());
  WriteOperators(json, record.layout);
  WritePasses(json, record.passes);
  WritePrecision(json, record.precision);
  if (finished) {
    WriteMemory(json, record.layout);
    WriteOutput(json, record.written);
  } else {
    for (const char* key : {"memory", "output"}) {
      json.Key(key);
      json.Null();
    }
  }
  WriteTimings(json, record.progress);
  json.EndObject();
  return json.Finish();
}

}  // namespace api
}  // namespace ge
