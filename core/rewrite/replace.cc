#include "rewrite/replace.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "kernels/dispatch.h"
#include "ops/op_impl.h"

namespace ge {
namespace {

std::string Named(const Node& node) {
  return "[" + node.name() + "] of type " + node.type();
}

std::string NameOf(Value value) {
  return "[" + value.node->name() + ":" + std::to_string(value.index) + "]";
}

bool Accepts(const Node& node, size_t input, DataType dtype) {
  const Table ports = OpRow(node.type()).Find("inputs");
  if (input >= ports.size()) return true;
  const std::string list =
      "," + std::string(ports[static_cast<uint32_t>(input)].Find("dtypes").AsString()) + ",";
  return list.find("," + std::string(RowOf(dtype).short_name) + ",") != std::string::npos;
}

// Gives a constant that was written as a number another dtype.
std::string Convert(Node& literal, DataType dtype) {
  const std::optional<std::vector<double>> values = ConstDoubles(literal.out());
  if (!values) return "";
  std::vector<uint8_t> bytes;
  std::string fault;
  const bool exact = IsInteger(dtype) || dtype == DataType::kBool;
  VisitNumbers(dtype, [&]<typename T>(T) {
    bytes.resize(values->size() * sizeof(T));
    for (size_t i = 0; i < values->size(); ++i) {
      const T value = static_cast<T>((*values)[i]);
      if (exact && static_cast<double>(value) != (*values)[i]) {
        fault = "the number " + std::to_string((*values)[i]) + " is no " +
                std::string(UserName(dtype)) + ", which it is combined with";
      }
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  });
  if (!fault.empty() || bytes.empty()) return fault;
  literal.output(0).dtype = dtype;
  literal.SetValue(Buffer::Own(std::move(bytes)));
  return "";
}

std::string ConvertLiterals(Node& node) {
  DataType dtype = DataType::kUndefined;
  for (size_t i = 0; i < node.input_count() && dtype == DataType::kUndefined; ++i) {
    const Value input = node.input(i);
    if (input && input.node->attrs().Find(kLiteral) == nullptr) dtype = input.desc().dtype;
  }
  if (dtype == DataType::kUndefined) return "";
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (!input || input.node->attrs().Find(kLiteral) == nullptr || input.desc().dtype == dtype ||
        !Accepts(node, i, dtype)) {
      continue;
    }
    if (const std::string fault = Convert(*input.node, dtype); !fault.empty()) return fault;
  }
  return "";
}

std::string Infer(Node& node) {
  if (std::string fault = ConvertLiterals(node); !fault.empty()) {
    return Named(node) + ": " + fault;
  }
  if (const Status status = InferNode(node); !status.ok()) return status.problems()[0].message;
  if (node.input_count() == 0 || !node.input(0)) return "";
  const TensorDesc& first = node.input(0).desc();
  for (size_t i = 0; i < node.output_count(); ++i) {
    if (!first.shape.unknown_rank() && node.output(i).shape.has_rank(first.shape.rank())) {
      node.output(i).format = first.format;
    }
  }
  return "";
}

bool MayDiffer(const Shape& before, const Shape& after) {
  if (before.unknown_rank() || after.unknown_rank()) return false;
  if (before.rank() != after.rank()) return true;
  for (size_t i = 0; i < before.rank(); ++i) {
    if (before[i] != after[i] && before[i] != kUnknownDim && after[i] != kUnknownDim) return true;
  }
  return false;
}

std::string CompareOutputs(const Graph& replacement, const Place& place) {
  const Node& results = *replacement.net_output();
  for (size_t i = 0; i < place.outputs.size(); ++i) {
    const TensorDesc& after = results.input(i).desc();
    const TensorDesc& before = place.outputs[i].desc();
    if (before.dtype == DataType::kUndefined) continue;
    if (after.dtype != before.dtype || MayDiffer(before.shape, after.shape)) {
      return "output " + std::to_string(i) + " is " + std::string(UserName(after.dtype)) +
             after.shape.ToString() + ", but it takes the place of " + NameOf(place.outputs[i]) +
             ", which is " + std::string(UserName(before.dtype)) + before.shape.ToString();
    }
  }
  return "";
}

std::string CheckCounts(const Graph& replacement, const Place& place) {
  const Node* results = replacement.net_output();
  const size_t outputs = results == nullptr ? 0 : results->input_count();
  if (outputs != place.outputs.size()) {
    return "it has " + std::to_string(outputs) + " outputs, but what it takes the place of has " +
           std::to_string(place.outputs.size());
  }
  for (size_t i = 0; i < outputs; ++i) {
    if (!results->input(i)) return "output " + std::to_string(i) + " is not set";
  }
  return "";
}

// Nodes that compute the outputs, up to the ports.
class BackwardWalk {
 public:
  explicit BackwardWalk(const std::set<Place::Port>& ports) : ports_(ports) {}

  std::string From(Node& node) {
    std::vector<Node*> open = {&node};
    while (!open.empty()) {
      Node* next = open.back();
      open.pop_back();
      if (!inside_.insert(next).second) continue;
      if (next->type() == "Data" || !next->subgraphs().empty()) {
        return Named(*next) + " cannot be replaced, but no input of the boundary stands before it";
      }
      nodes_.push_back(next);
      for (size_t i = 0; i < next->input_count(); ++i) {
        if (next->input(i) && !ports_.contains({next, i})) open.push_back(next->input(i).node);
      }
    }
    return "";
  }

  bool Has(const Node* node) const { return inside_.contains(node); }
  std::vector<Node*>& nodes() { return nodes_; }

 private:
  const std::set<Place::Port>& ports_;
  std::unordered_set<const Node*> inside_;
  std::vector<Node*> nodes_;
};

}  // namespace

Place PlaceOf(Node& node) {
  Place place = {.nodes = {&node}, .inputs = {}, .outputs = {}};
  for (size_t i = 0; i < node.input_count(); ++i) place.inputs.push_back({&node, i});
  for (size_t i = 0; i < node.output_count(); ++i) {
    place.outputs.push_back(node.out(static_cast<int32_t>(i)));
  }
  return place;
}

std::string FindPlace(std::span<const std::vector<Place::Port>> inputs,
                      std::span<const Value> outputs, Place* place) {
  std::set<Place::Port> ports;
  for (const std::vector<Place::Port>& same : inputs) {
    for (const Place::Port& port : same) {
      const std::string where = "input " + std::to_string(port.input) + " of " + Named(*port.node);
      if (!port.value()) return where + " reads nothing";
      if (port.value() != same.front().value()) {
        return where + " reads " + NameOf(port.value()) +
               ", another port of the same boundary input " + NameOf(same.front().value());
      }
      ports.insert(port);
    }
    place->inputs.push_back(same.empty() ? Place::Port{} : same.front());
  }
  BackwardWalk walk(ports);
  for (const Value& output : outputs) {
    if (std::string fault = walk.From(*output.node); !fault.empty()) return fault;
    place->outputs.push_back(output);
  }
  for (const Place::Port& port : ports) {
    if (!walk.Has(port.node)) {
      return Named(*port.node) + " has an input of the boundary, but no output depends on it";
    }
  }
  place->nodes = std::move(walk.nodes());
  for (const Node* node : place->nodes) {
    for (size_t i = 0; !node->is_const() && i < node->output_count(); ++i) {
      const Value value = const_cast<Node*>(node)->out(static_cast<int32_t>(i));
      if (std::ranges::find(outputs, value) != outputs.end()) continue;
      for (const Use& use : node->uses(i)) {
        if (!walk.Has(use.node)) {
          return NameOf(value) + " is read by " + Named(*use.node) +
                 " outside of the boundary, but it is no output of it";
        }
      }
    }
  }
  if (ClosesCycle(place->nodes)) return "what leaves the boundary comes back into it";
  return "";
}

std::string InferNodes(Graph& graph) {
  if (!graph.SortTopologically()) return "its nodes form a cycle";
  for (const auto& node : graph.nodes()) {
    if (node->type() == "Data" || node->is_const() || node->type() == "NetOutput") continue;
    if (std::string fault = Infer(*node); !fault.empty()) return fault;
  }
  return "";
}

std::string InferIn(Graph& replacement, const Place& place) {
  for (Node* input : replacement.InputNodes()) {
    const int64_t* attr = input->attrs().Get<int64_t>("index");
    const size_t index = attr == nullptr ? 0 : static_cast<size_t>(*attr);
    if (index >= place.inputs.size() || !place.inputs[index].value()) {
      return "it reads input " + std::to_string(index) + ", which what it takes the place of " +
             "does not have";
    }
    input->output(0) = place.inputs[index].value().desc();
  }
  return InferNodes(replacement);
}

std::string Replace(Graph& replacement, const Place& place, Removal& removal) {
  if (std::string fault = CheckCounts(replacement, place); !fault.empty()) return fault;
  if (std::string fault = InferIn(replacement, place); !fault.empty()) return fault;
  if (std::string fault = CompareOutputs(replacement, place); !fault.empty()) return fault;

  Graph& graph = place.outputs.front().node->graph();
  const Node& last = *place.outputs.front().node;
  const std::string prefix = last.name() + "/";
  std::unordered_map<const Node*, Node*> added;
  const auto value_of = [&](Value value) {
    if (!value) return Value{};
    if (value.node->type() != "Data") return added[value.node]->out(value.index);
    const int64_t* index = value.node->attrs().Get<int64_t>("index");
    return place.inputs[index == nullptr ? 0 : static_cast<size_t>(*index)].value();
  };
  for (const auto& node : replacement.nodes()) {
    if (node->type() == "Data" || node->type() == "NetOutput") continue;
    std::vector<Value> inputs;
    for (size_t i = 0; i < node->input_count(); ++i) inputs.push_back(value_of(node->input(i)));
    Node* copy = graph.Add(node->type(), prefix + node->name(), inputs, node->output_count());
    for (size_t i = 0; i < node->output_count(); ++i) copy->output(i) = node->output(i);
    copy->attrs() = node->attrs();
    copy->attrs().Remove(kLiteral);
    copy->SetValue(node->value());
    added[node.get()] = copy;
    if (copy->is_const()) continue;
    for (const Node* old : place.nodes) {
      if (old->is_const()) continue;
      for (std::string& name : old->source_names()) copy->AddSourceName(std::move(name));
    }
  }
  for (size_t i = 0; i < place.outputs.size(); ++i) {
    const Value before = place.outputs[i];
    Value after = value_of(replacement.net_output()->input(i));
    if (!MayBypass(before, after)) {
      Node* copy = graph.Add("Identity", prefix + "Identity", {after});
      copy->output(0) = after.desc();
      for (std::string& name : before.node->source_names()) copy->AddSourceName(std::move(name));
      after = copy->out();
    } else if (after.node->type() != "Data" && !after.node->is_const()) {
      removal.TakeNames(*after.node, *before.node);
    }
    graph.ReplaceUses(before, after);
  }
  for (auto node = place.nodes.rbegin(); node != place.nodes.rend(); ++node) {
    if (!(*node)->is_const() && !(*node)->has_uses() && !removal.Has(**node)) removal.Add(**node);
  }
  return "";
}

}  // namespace ge
