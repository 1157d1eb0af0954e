#include "api/testing.h"

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "api/testing_attr.h"
#include "frontend/onnx/importer.h"
#include "kernels/dispatch.h"
#include "ops/op_impl.h"
#include "passes/pipeline.h"
#include "plan/arena.h"

namespace ge::api {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const TensorDesc& desc) {
  return {{"dtype", UserName(desc.dtype)}, {"shape", desc.shape.dims()}};
}

Json ToJson(const Graph& graph) {
  Json nodes = Json::array();
  for (const auto& node : graph.nodes()) {
    Json row = {
        {"name", node->name()},    {"type", node->type()},     {"sources", node->source_names()},
        {"inputs", Json::array()}, {"outputs", Json::array()}, {"attrs", Json::object()}};
    for (size_t i = 0; i < node->input_count(); ++i) {
      const Value input = node->input(i);
      row["inputs"].push_back(input ? Json(input.node->name() + ":" + std::to_string(input.index))
                                    : Json());
    }
    for (size_t i = 0; i < node->output_count(); ++i) {
      row["outputs"].push_back(ToJson(node->output(i)));
    }
    for (const auto& [name, attr] : node->attrs()) {
      row["attrs"][name] = std::visit(
          [](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, DataType>) {
              return Json(UserName(value));
            } else {
              return Json(value);
            }
          },
          attr);
    }
    for (const auto& subgraph : node->subgraphs()) row["subgraphs"].push_back(ToJson(*subgraph));
    nodes.push_back(std::move(row));
  }
  Json outputs = Json::array();
  for (size_t i = 0; i < graph.net_output()->input_count(); ++i) {
    const Value value = graph.net_output()->input(i);
    Json row = {{"name", graph.output_names()[i]}};
    row.update(ToJson(value.desc()));
    row["value"] = nullptr;
    if (const auto ints = ConstInts(value)) {
      row["value"] = *ints;
    } else if (const auto doubles = ConstDoubles(value)) {
      // JSON has no NaN and no infinity.
      for (const double number : *doubles) {
        row["value"].push_back(std::isfinite(number) ? Json(number) : Json(std::to_string(number)));
      }
      if (doubles->empty()) row["value"] = Json::array();
    }
    outputs.push_back(std::move(row));
  }
  return {{"nodes", std::move(nodes)}, {"outputs", std::move(outputs)}};
}

Buffer BytesOf(const Json& elements, DataType dtype) {
  std::vector<uint8_t> bytes;
  VisitNumbers(dtype, [&]<typename T>(T) {
    bytes.resize(elements.size() * sizeof(T));
    for (size_t i = 0; i < elements.size(); ++i) {
      const T value = static_cast<T>(elements[i].get<double>());
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  });
  return Buffer::Own(std::move(bytes));
}

std::unique_ptr<Graph> BuildGraph(const Json& json) {
  auto graph = std::make_unique<Graph>("test");
  const auto value_of = [&](const Json& text) {
    if (text.is_null()) return Value{};
    const std::string name = text.get<std::string>();
    const size_t colon = name.rfind(':');
    return graph->Find(name.substr(0, colon))->out(std::stoi(name.substr(colon + 1)));
  };
  for (const Json& row : json.at("nodes")) {
    const Json outputs = row.value("outputs", Json::array({Json::object()}));
    std::vector<Value> inputs;
    for (const Json& input : row.value("inputs", Json::array())) inputs.push_back(value_of(input));
    Node* node = graph->Add(row.at("type").get<std::string>(), row.at("name").get<std::string>(),
                            inputs, outputs.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].empty()) continue;
      node->output(i).dtype =
          FindDataTypeByShortName(outputs[i].at("dtype").get<std::string>())->dtype;
      node->output(i).shape = Shape(outputs[i].at("shape").get<std::vector<int64_t>>());
    }
    const Json attrs = row.value("attrs", Json::object());
    for (const auto& [name, attr] : attrs.items()) {
      node->attrs().Set(name, AttrOf(attr));
    }
    if (row.contains("value")) node->SetValue(BytesOf(row["value"], node->output(0).dtype));
    for (const Json& subgraph : row.value("subgraphs", Json::array())) {
      node->AddSubgraph(BuildGraph(subgraph));
    }
  }
  std::vector<Value> outputs;
  for (const Json& output : json.at("outputs")) {
    outputs.push_back(value_of(output));
    graph->output_names().push_back(output.get<std::string>());
  }
  graph->Add("NetOutput", "NetOutput", outputs, 0);
  return graph;
}

Result<Json> RunNamedPasses(const std::vector<std::string>& names, Graph& graph) {
  Json places = Json::array();
  for (const std::string& name : names) {
    const Pass* pass = FindPass(name);
    if (pass == nullptr) return Error(ErrorId::kE19999, {{"reason", "no pass " + name}});
    GE_ASSIGN(const size_t count, RunPass(*pass, graph));
    places.push_back(count);
  }
  return places;
}

std::string Text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string PassesAsJson() {
  Json rows = Json::array();
  for (const PassInfo& pass : AllPasses()) {
    rows.push_back(
        {{"name", pass.name}, {"atc_name", pass.atc_name}, {"kind", static_cast<int>(pass.kind)}});
  }
  return rows.dump();
}

Status RunPassesAsJson(const std::string& graph, const std::vector<std::string>& passes,
                       std::string* json) {
  const std::unique_ptr<Graph> built = BuildGraph(Json::parse(graph));
  GE_ASSIGN(const Json places, RunNamedPasses(passes, *built));
  Json result = ToJson(*built);
  result["places"] = places;
  for (const Json& count : places) result["changed"].push_back(count != 0);
  *json = Text(result);
  return Status::Ok();
}

Status ImportAsJson(const std::string& model_path, bool allow_unknown_inputs,
                    const std::vector<std::string>& passes, std::string* json_text) {
  GE_ASSIGN(std::shared_ptr<const MappedFile> file, MappedFile::Open(model_path));
  onnx::ImportOptions options;
  options.graph_name = "test";
  options.allow_unknown_inputs = allow_unknown_inputs;
  GE_ASSIGN(const onnx::ImportResult imported, onnx::Import(file, options));
  GE_ASSIGN([[maybe_unused]] const Json places, RunNamedPasses(passes, *imported.graph));
  Json json = ToJson(*imported.graph);
  json["warnings"] = Json::array();
  for (const Problem& warning : imported.warnings) json["warnings"].push_back(warning.message);
  *json_text = Text(json);
  return Status::Ok();
}

uint64_t PlanClaims(std::span<Claim> claims, bool reuse) {
  return PlaceClaims(claims, reuse);
}

}  // namespace ge::api
