#include "rewrite/check.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

std::string Named(const Node& node) {
  return "[" + node.name() + "] of type " + node.type();
}

bool HasOwnBuffer(const Node& results, size_t index) {
  const Value value = results.input(index);
  if (value.node->type() == "Data" || value.node->is_const()) return false;
  for (size_t i = 0; i < results.input_count(); ++i) {
    if (i != index && results.input(i) == value) return false;
  }
  return true;
}

void AddSignature(const Graph& graph, Signature& signature) {
  std::vector<Signature::Output>& outputs = signature.outputs[&graph];
  for (size_t i = 0; i < graph.net_output()->input_count(); ++i) {
    outputs.push_back({graph.net_output()->input(i).desc(), HasOwnBuffer(*graph.net_output(), i)});
  }
  for (const auto& node : graph.nodes()) {
    for (const auto& subgraph : node->subgraphs()) AddSignature(*subgraph, signature);
  }
}

std::string Missing(const Node& node, size_t input, const std::string& name) {
  return "input " + std::to_string(input) + " (" + name + ") of " + Named(node) +
         " is not connected";
}

std::string CheckInputs(const Node& node) {
  if (node.type() == "NetOutput") {
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (!node.input(i)) return "output " + std::to_string(i) + " of the graph is not connected";
    }
    return "";
  }
  if (node.type() == "Data") return "";
  const Table ports = OpRow(node.type()).Find("inputs");
  const std::vector<std::string> names = InputNames(node);
  bool dynamic = false;
  for (uint32_t i = 0; i < ports.size(); ++i) {
    const std::string_view kind = ports[i].Find("kind").AsString();
    dynamic |= kind == "dynamic";
    if (kind.empty() && !dynamic && !node.input(i)) {
      return Missing(node, i, std::string(ports[i].Find("name").AsString()));
    }
  }
  if (dynamic) {
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (!node.input(i)) return Missing(node, i, names[i]);
    }
  } else if (!ports.is_null() && node.input_count() > ports.size()) {
    return Named(node) + " has " + std::to_string(node.input_count()) +
           " inputs, but the operator has " + std::to_string(ports.size());
  }
  return "";
}

// Nodes that no order can run.
std::string Cycle(const Graph& graph) {
  std::vector<size_t> waits(graph.size());
  std::vector<const Node*> ready;
  for (const auto& node : graph.nodes()) {
    for (size_t i = 0; i < node->input_count(); ++i) waits[node->index()] += node->input(i) ? 1 : 0;
    if (waits[node->index()] == 0) ready.push_back(node.get());
  }
  while (!ready.empty()) {
    const Node* next = ready.back();
    ready.pop_back();
    for (size_t i = 0; i < next->output_count(); ++i) {
      for (const Use& use : next->uses(i)) {
        if (--waits[use.node->index()] == 0) ready.push_back(use.node);
      }
    }
  }
  std::string names;
  size_t count = 0;
  for (const auto& node : graph.nodes()) {
    if (waits[node->index()] == 0 || node->type() == "NetOutput") continue;
    if (++count <= 5) names += (names.empty() ? "" : ", ") + Named(*node);
  }
  return "nodes form a cycle: " + names + (count > 5 ? ", ..." : "");
}

std::string CheckBuilt(const Node& node) {
  const bool known = !OpRow(node.type()).is_null();
  if (!known || FindOpImpl(node.type()) != nullptr || node.type() == "Data" || node.is_const() ||
      node.type() == "NetOutput") {
    return "";
  }
  return Named(node) + ": the operator is known, but not built yet";
}

bool Differs(const TensorDesc& before, const TensorDesc& after) {
  if (before.dtype != after.dtype) return true;
  if (before.shape.unknown_rank() || after.shape.unknown_rank()) return false;
  if (before.shape.rank() != after.shape.rank()) return true;
  for (size_t i = 0; i < before.shape.rank(); ++i) {
    const int64_t a = before.shape[i], b = after.shape[i];
    if (a != b && a != kUnknownDim && b != kUnknownDim) return true;
  }
  return false;
}

std::string Text(const TensorDesc& desc) {
  return std::string(UserName(desc.dtype)) + desc.shape.ToString();
}

std::string CheckOutputs(Graph& graph, const std::vector<Signature::Output>& before) {
  Node& results = *graph.net_output();
  if (results.input_count() != before.size()) {
    return "the graph has " + std::to_string(results.input_count()) + " outputs instead of " +
           std::to_string(before.size());
  }
  for (size_t i = 0; i < before.size(); ++i) {
    const TensorDesc& after = results.input(i).desc();
    if (Differs(before[i].desc, after)) {
      return "output " + std::to_string(i) + " of the graph is " + Text(after) + " instead of " +
             Text(before[i].desc);
    }
  }
  bool added = false;
  for (size_t i = 0; i < before.size(); ++i) {
    if (!before[i].own_buffer || HasOwnBuffer(results, i)) continue;
    const Value value = results.input(i);
    Node* copy = graph.Add("Identity", value.node->name() + "/Identity", {value});
    copy->output(0) = value.desc();
    results.SetInput(i, copy->out());
    added = true;
  }
  if (added) graph.SortTopologically();
  return "";
}

}  // namespace

Signature SignatureOf(const Graph& graph) {
  Signature signature;
  AddSignature(graph, signature);
  return signature;
}

std::string CheckRewritten(Graph& graph, const Signature& before) {
  for (const auto& node : graph.nodes()) {
    if (std::string fault = CheckInputs(*node); !fault.empty()) return fault;
    if (std::string fault = CheckBuilt(*node); !fault.empty()) return fault;
    for (const auto& subgraph : node->subgraphs()) {
      if (std::string fault = CheckRewritten(*subgraph, before); !fault.empty()) return fault;
    }
  }
  if (!graph.SortTopologically()) return Cycle(graph);
  if (const auto dead = RemoveDeadNodes(graph); !dead.ok())
    return dead.status().problems()[0].message;
  if (const auto inferred = InferShapes(graph); !inferred.ok()) {
    return inferred.status().problems()[0].message;
  }
  const auto known = before.outputs.find(&graph);
  if (known != before.outputs.end()) {
    if (std::string fault = CheckOutputs(graph, known->second); !fault.empty()) return fault;
  }
  return Verify(graph);
}

}  // namespace ge
