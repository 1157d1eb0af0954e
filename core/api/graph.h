#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/export.h"
#include "base/status.h"
#include "rewrite/match.h"

// What the Python views of a graph need beside the graph itself (ir/graph.h).
namespace ge {

class Removal;

namespace api {

// Types with a prototype, in order of their names.
GE_API std::vector<std::string> OpTypes();
// {"inputs": [{"name", "kind"}], "outputs": ..., "attrs": [{"name", "type", "required"}], "graphs":
// bool}, each in the order of the prototype; "null" when there is no such type.
GE_API std::string OpPrototypeAsJson(const std::string& type);
// Whether the operator has a shape rule and can be run.
GE_API bool IsBuilt(const std::string& type);
// Attribute of a node, or the default of its prototype.  False when it has neither.
GE_API bool ReadAttr(const Node& node, const std::string& name, Attr* attr);

// A text that is returned says what is wrong; it is empty when nothing is.
GE_API std::string FindPlaces(const Graph& pattern, const Graph& graph, MatchRules rules,
                              std::vector<Place>* places);
GE_API bool ReplacingClosesCycle(const Place& place);
GE_API Place PlaceOfNode(Node& node);
GE_API std::string FindPlaceBetween(const std::vector<std::vector<Place::Port>>& inputs,
                                    const std::vector<Value>& outputs, Place* place);
GE_API std::string InferGraph(Graph& graph);
GE_API std::string InferReplacement(Graph& replacement, const Place& place);

// Several replacements in one graph.
GE_API std::shared_ptr<Removal> BeginReplacing(Graph& graph);
// Whether none of its nodes was replaced before.
GE_API bool IsStillThere(const Removal& removal, const Place& place);
GE_API std::string ReplaceAt(Graph& replacement, const Place& place, Removal& removal);
GE_API void FinishReplacing(Removal& removal);

// The graph in one of the forms of core/dump.
GE_API Status GraphAsText(const Graph& graph, bool onnx, std::string* text);

}  // namespace api
}  // namespace ge
