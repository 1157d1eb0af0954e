#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "ir/graph.h"

// What several passes need to rewrite a graph.
namespace ge {

// Whether some reader of `value` is NetOutput.
bool IsGraphOutput(Value value);
// Whether output 0 of `node` has the dtype and the shape of `x`, whose rank is known.
bool LooksLike(const Node& node, Value x);
// Whether `x` may take the place of `y`.  Not where y is an output of the graph and x a Data, a
// Const or an output as well: the outputs of a model are buffers of their own, and some node fills
// each.
bool MayBypass(Value y, Value x);
// The node that alone reads `value`, once; nullptr when there are several readers or when it is an
// output of the graph.
Node* OnlyReader(Value value);

// Takes nodes out of a graph.
class Removal {
 public:
  explicit Removal(Graph& graph) : graph_(graph) {}

  // `to` stands for the source nodes of `from` too, behind its own; in effect after Finish().
  void TakeNames(const Node& to, const Node& from) { taken_[&to].push_back(&from); }
  // `node`, which nobody reads, and what only it read.  They read nothing from now on, so that
  // OnlyReader() does not count them; they stay in nodes() until Finish().
  void Add(Node& node);
  // Every reader of output 0 of `node` reads `value` from now on, and `node` goes.  The producer of
  // `value` takes over the source names, unless it is a Data or a Const, which stand for a tensor
  // of the model and not for one of its nodes.
  void Bypass(Node& node, Value value);
  bool Has(const Node& node) const { return node.index() < dead_.size() && dead_[node.index()]; }
  // Removes the nodes and sorts what is left.  How often Add() and Bypass() were called, which for
  // most passes is how many places they rewrote.
  size_t Finish();

 private:
  void GiveNames(Node& to) const;

  Graph& graph_;
  size_t calls_ = 0;
  // By the node that takes the names.  Those of a node that goes reach the node that stays at the
  // end only, so that a long chain of them takes linear time.
  std::unordered_map<const Node*, std::vector<const Node*>> taken_;
  std::vector<bool> dead_;  // by Node::index()
};

// Gives input `index` of `node`, which may be left out, a constant of its own: another value in the
// place of one that nobody else reads, else a new Const `name`, which stands last in the graph.
void SetConst(Node& node, size_t index, std::string_view name, TensorDesc desc, Buffer value);

// A new constant list of int64, which stands last in the graph.
Value AddIntList(Graph& graph, std::string_view name, std::span<const int64_t> list);

}  // namespace ge
