#include "api/testing.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "frontend/onnx/importer.h"
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

}  // namespace

Status ImportAsJson(const std::string& model_path, bool allow_unknown_inputs,
                    const std::vector<std::string>& passes, std::string* json_text) {
  GE_ASSIGN(std::shared_ptr<const MappedFile> file, MappedFile::Open(model_path));
  onnx::ImportOptions options;
  options.graph_name = "test";
  options.allow_unknown_inputs = allow_unknown_inputs;
  GE_ASSIGN(const onnx::ImportResult imported, onnx::Import(file, options));
  for (const std::string& name : passes) {
    const Pass* pass = FindPass(name);
    if (pass == nullptr) return Error(ErrorId::kE19999, {{"reason", "no pass " + name}});
    GE_ASSIGN(const bool changed, RunPass(*pass, *imported.graph));
    (void)changed;
  }
  Json json = ToJson(*imported.graph);
  json["warnings"] = Json::array();
  for (const Problem& warning : imported.warnings) json["warnings"].push_back(warning.message);
  *json_text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  return Status::Ok();
}

uint64_t PlanClaims(std::span<Claim> claims, bool reuse) {
  return PlaceClaims(claims, reuse);
}

}  // namespace ge::api
