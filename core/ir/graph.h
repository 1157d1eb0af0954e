#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/dtype.h"
#include "base/file.h"
#include "base/format.h"
#include "base/name_map.h"
#include "base/shape.h"
#include "base/small_vector.h"
#include "ir/attr.h"

namespace ge {

class Graph;
class Node;

// What a tensor looks like.  Dims may be -1, the rank may be unknown.
struct TensorDesc {
  DataType dtype = DataType::kUndefined;
  Format format = Format::kND;
  Shape shape = Shape::UnknownRank();

  bool operator==(const TensorDesc&) const = default;
};

// Bytes of a tensor; nullopt when its shape is not static.
std::optional<int64_t> BytesOf(const TensorDesc& desc);

// Output `index` of `node`.  A null node is an optional input that was left out.
struct Value {
  Node* node = nullptr;
  int32_t index = 0;

  explicit operator bool() const { return node != nullptr; }
  bool operator==(const Value&) const = default;
  const TensorDesc& desc() const;
};

// One reader of a value: input `input` of `node`.
struct Use {
  Node* node;
  int32_t input;
};

// A GE operator.  Made by Graph::Add; inputs are in prototype order, with null values where an
// optional input is left out.
class Node {
 public:
  const std::string& type() const { return type_; }
  const std::string& name() const { return name_; }
  Graph& graph() const { return *graph_; }

  size_t input_count() const { return inputs_.size(); }
  // Null when left out or beyond input_count().
  Value input(size_t index) const {
    return index < inputs_.size() ? inputs_[index].value() : Value{};
  }
  void SetInput(size_t index, Value value);
  void AddInput(Value value);
  // Inputs behind it move up.
  void RemoveInput(size_t index);

  size_t output_count() const { return outputs_.size(); }
  TensorDesc& output(size_t index) { return outputs_[index].desc; }
  const TensorDesc& output(size_t index) const { return outputs_[index].desc; }
  Value out(int32_t index = 0) { return {this, index}; }
  // Order is deterministic but has no meaning.
  std::span<const Use> uses(size_t index) const { return outputs_[index].uses; }
  bool has_uses() const;

  AttrMap& attrs() { return attrs_; }
  const AttrMap& attrs() const { return attrs_; }

  // Names of the source nodes this node stands for; its own name when none were noted.
  std::vector<std::string> source_names() const;
  void AddSourceName(std::string name);
  // The first of source_names(): what a message calls this node.
  const std::string& source_name() const { return sources_.empty() ? name_ : sources_.front(); }

  // Bytes of a Const; its desc is output(0).
  const Buffer& value() const { return value_; }
  void SetValue(Buffer value) { value_ = std::move(value); }
  // The dtype of value().  It is not that of output(0) where a large constant gets another dtype,
  // which it is converted to when it is written.
  DataType value_dtype() const {
    return value_dtype_ == DataType::kUndefined ? output(0).dtype : value_dtype_;
  }
  void ConvertWhenWritten(DataType dtype);
  bool is_const() const { return type_ == "Const"; }
  // Turns a node with one output into a Const of that desc: no inputs, no attributes.
  void BecomeConst(Buffer value);

  // Branches of a control-flow operator, in prototype order (If: then, else).
  const std::vector<std::unique_ptr<Graph>>& subgraphs() const { return subgraphs_; }
  void AddSubgraph(std::unique_ptr<Graph> graph);

  // Position in Graph::nodes(); kept by the graph.
  uint32_t index() const { return index_; }

 private:
  friend class Graph;
  struct Input {
    Node* producer;
    int32_t index;
    uint32_t use;  // position in the producer's list of uses

    Value value() const { return {producer, index}; }
  };
  struct Output {
    TensorDesc desc;
    SmallVector<Use, 1> uses;
  };
  Node() = default;
  void Unlink(size_t index);

  Graph* graph_ = nullptr;
  std::string type_;
  std::string name_;
  SmallVector<Input, 2> inputs_;
  std::vector<Output> outputs_;
  AttrMap attrs_;
  std::vector<std::string> sources_;
  std::unique_ptr<std::unordered_set<std::string>> source_set_;  // the same, of a long list
  Buffer value_;
  DataType value_dtype_ = DataType::kUndefined;  // that of output 0
  std::vector<std::unique_ptr<Graph>> subgraphs_;
  uint32_t index_ = 0;
};

// A graph of GE operators.  Its Data nodes are the inputs; one NetOutput node, whose inputs are
// the outputs, is last.
class Graph {
 public:
  explicit Graph(std::string name) : name_(std::move(name)) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& name() const { return name_; }
  void SetName(std::string name) { name_ = std::move(name); }

  // Makes room for `nodes` nodes.
  void Reserve(size_t nodes);
  // Appends a node.  `name` is made unique by a suffix _<n> when it is taken.
  Node* Add(std::string_view type, std::string_view name, const std::vector<Value>& inputs,
            size_t outputs = 1);
  Node* AddConst(std::string_view name, TensorDesc desc, Buffer value);
  // Appends what `node`, of another graph, is, with these inputs.  `node` is to be removed: its
  // subgraphs and its value are moved.
  Node* Adopt(Node& node, const std::vector<Value>& inputs);

  // In an order where producers come before readers (after SortTopologically).
  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  size_t size() const { return nodes_.size(); }
  Node* Find(std::string_view name) const;
  // Data nodes in the order of their index attribute.
  std::vector<Node*> InputNodes() const;
  // nullptr while a front end is still building.
  Node* net_output() const { return net_output_; }

  // One name per input of NetOutput, as the source model calls the tensor.
  std::vector<std::string>& output_names() { return output_names_; }
  const std::vector<std::string>& output_names() const { return output_names_; }

  // Every reader of `from` reads `to` from now on.
  void ReplaceUses(Value from, Value to);
  // Removes the nodes for which dead[index()] is set.  Their remaining readers must be dead too.
  void Remove(const std::vector<bool>& dead);
  // Producers before readers, otherwise in the present order.  False when there is a cycle.
  bool SortTopologically();

 private:
  std::string UniqueName(std::string_view name);

  std::string name_;
  std::vector<std::unique_ptr<Node>> nodes_;
  NameMap<Node*> by_name_;                                 // keys are the nodes' own names
  std::unordered_map<std::string, uint32_t> next_suffix_;  // per name that was taken twice
  Node* net_output_ = nullptr;
  std::vector<std::string> output_names_;
};

// Every input is an output of a node of this graph that stands before its reader, uses and
// inputs agree, names are unique, NetOutput is last.  An empty string, or what is wrong.
std::string Verify(const Graph& graph);

}  // namespace ge
