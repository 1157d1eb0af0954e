#include "api/model.h"

#include "backend/host/model.h"
#include "ops/op_impl.h"
#include "wire/json_writer.h"

namespace ge::api {
namespace {

void CollectWeights(const Graph& graph, std::vector<ModelWeight>& weights) {
  for (const auto& node : graph.nodes()) {
    if (node->is_const() && node->output_count() == 1) {
      weights.push_back(
          {node->name(), node->output(0).dtype, node->output(0).shape, node->value().bytes()});
    }
    for (const auto& subgraph : node->subgraphs()) CollectWeights(*subgraph, weights);
  }
}

template <typename T>
void Write(wire::JsonWriter& json, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    json.Bool(value);
  } else if constexpr (std::is_same_v<T, int64_t>) {
    json.Int(value);
  } else if constexpr (std::is_same_v<T, float>) {
    json.Double(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    json.Text(value);
  } else if constexpr (std::is_same_v<T, DataType>) {
    json.Text(UserName(value));
  } else {
    json.BeginArray();
    for (const auto& item : value) Write<typename T::value_type>(json, item);
    json.EndArray();
  }
}

void WriteNode(wire::JsonWriter& json, const Node& node, const om::ReadGraphs& graphs) {
  json.BeginObject();
  json.Key("name");
  json.Text(node.name());
  json.Key("type");
  json.Text(node.type());
  json.Key("inputs");
  json.BeginArray();
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    json.Text(input ? input.node->name() + ":" + std::to_string(input.index) : "");
  }
  json.EndArray();
  const auto offsets = graphs.offsets.find(&node);
  json.Key("outputs");
  json.BeginArray();
  for (size_t i = 0; i < node.output_count(); ++i) {
    const TensorDesc& desc = node.output(i);
    json.BeginObject();
    json.Key("dtype");
    json.Text(UserName(desc.dtype));
    json.Key("shape");
    Write(json, desc.shape.dims());
    json.Key("format");
    json.Text(FormatName(desc.format));
    json.Key("offset");
    const bool has = offsets != graphs.offsets.end() && i < offsets->second.size();
    json.Int(has ? offsets->second[i] : -1);
    json.EndObject();
  }
  json.EndArray();
  json.Key("attrs");
  json.BeginObject();
  for (const auto& [name, attr] : node.attrs()) {
    json.Key(name);
    std::visit([&](const auto& value) { Write(json, value); }, attr);
  }
  json.EndObject();
  json.Key("sources");
  Write(json, node.source_names());
  json.Key("graphs");
  json.BeginArray();
  for (const auto& subgraph : node.subgraphs()) json.Text(subgraph->name());
  json.EndArray();
  json.EndObject();
}

void WriteGraphs(wire::JsonWriter& json, const Graph& graph, const om::ReadGraphs& graphs) {
  json.BeginObject();
  json.Key("name");
  json.Text(graph.name());
  json.Key("nodes");
  json.BeginArray();
  for (const auto& node : graph.nodes()) WriteNode(json, *node, graphs);
  json.EndArray();
  json.EndObject();
  for (const auto& node : graph.nodes()) {
    for (const auto& subgraph : node->subgraphs()) WriteGraphs(json, *subgraph, graphs);
  }
}

}  // namespace

Result<std::shared_ptr<const Model>> OpenModel(const std::string& path) {
  return Model::Open(path);
}

const ModelFactsRead& FactsOf(const Model& model) {
  return model.facts();
}

std::vector<ModelWeight> WeightsOf(const Model& model) {
  std::vector<ModelWeight> weights;
  CollectWeights(*model.graphs().root, weights);
  return weights;
}

std::string GraphsAsJson(const Model& model) {
  std::string text;
  wire::JsonWriter json([&](std::span<const uint8_t> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Status::Ok();
  });
  json.BeginArray();
  WriteGraphs(json, *model.graphs().root, model.graphs());
  json.EndArray();
  (void)json.Finish();  // the sink cannot fail
  return text;
}

Status RunModel(const Model& model, std::span<const InputArray> inputs, const RunOptions& options,
                std::vector<OutputArray>* outputs) {
  return model.Run(inputs, options, outputs);
}

}  // namespace ge::api
