#include "api/graph.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "dump/dumper.h"
#include "ops/attr_default.h"
#include "ops/op_impl.h"
#include "rewrite/replace.h"

namespace ge::api {
namespace {

using Json = nlohmann::ordered_json;

Json PortsAsJson(Table ports) {
  Json rows = Json::array();
  for (uint32_t i = 0; i < ports.size(); ++i) {
    rows.push_back(
        {{"name", ports[i].Find("name").AsString()}, {"kind", ports[i].Find("kind").AsString()}});
  }
  return rows;
}

}  // namespace

std::vector<std::string> OpTypes() {
  const Table rows = Table::Root("ops");
  std::vector<std::string> types;
  for (uint32_t i = 0; i < rows.size(); ++i) types.emplace_back(rows.KeyAt(i));
  return types;
}

std::string OpPrototypeAsJson(const std::string& type) {
  const Table row = Table::Root("ops").Find(type);
  if (row.is_null()) return "null";
  Json attrs = Json::array();
  const Table rows = row.Find("attrs");
  const Table order = row.Find("attr_order");
  for (uint32_t i = 0; i < order.size(); ++i) {
    const Table attr = rows.Find(order[i].AsString());
    attrs.push_back({{"name", order[i].AsString()},
                     {"type", attr.Find("type").AsString()},
                     {"required", attr.Find("required").AsBool()}});
  }
  return Json{{"inputs", PortsAsJson(row.Find("inputs"))},
              {"outputs", PortsAsJson(row.Find("outputs"))},
              {"attrs", std::move(attrs)},
              {"graphs", row.Has("graphs")}}
      .dump();
}

bool IsBuilt(const std::string& type) {
  const OpImpl* impl = FindOpImpl(type);
  return impl != nullptr && impl->infer != nullptr && (impl->view || impl->run_host != nullptr);
}

bool ReadAttr(const Node& node, const std::string& name, Attr* attr) {
  std::optional<Attr> found = AttrOrDefault(node, name);
  if (found) *attr = std::move(*found);
  return found.has_value();
}

std::string FindPlaces(const Graph& pattern, const Graph& graph, MatchRules rules,
                       std::vector<Place>* places) {
  Matcher matcher(pattern, rules);
  *places = matcher.FindAll(graph);
  return matcher.fault();
}

bool ReplacingClosesCycle(const Place& place) {
  return ClosesCycle(place.nodes);
}

Place PlaceOfNode(Node& node) {
  return PlaceOf(node);
}

std::string FindPlaceBetween(const std::vector<std::vector<Place::Port>>& inputs,
                             const std::vector<Value>& outputs, Place* place) {
  return FindPlace(inputs, outputs, place);
}

std::string InferGraph(Graph& graph) {
  return InferNodes(graph);
}

std::string InferReplacement(Graph& replacement, const Place& place) {
  return InferIn(replacement, place);
}

std::shared_ptr<Removal> BeginReplacing(Graph& graph) {
  return std::make_shared<Removal>(graph);
}

bool IsStillThere(const Removal& removal, const Place& place) {
  return std::ranges::none_of(place.nodes, [&](const Node* node) { return removal.Has(*node); });
}

std::string ReplaceAt(Graph& replacement, const Place& place, Removal& removal) {
  return Replace(replacement, place, removal);
}

void FinishReplacing(Removal& removal) {
  removal.Finish();
}

Status GraphAsText(const Graph& graph, bool onnx, std::string* text) {
  return DumpAsText(graph, onnx, text);
}

}  // namespace ge::api
