// FoldConstants: Op(Const, ...)   becomes   Const.
//
// Applies when every input is constant, the operator has a host kernel (or is a view) and the
// results are small (kFoldLimitBytes) or not larger than the constants that nobody else reads, so
// that the model does not grow.  Nodes are visited in topological order, and a node whose
// input has become constant or has changed its shape is inferred again first, because its own
// shape may follow from that value (Reshape, Slice, ...).  So one walk reaches everything.
// A list of integers is also constant when it holds known dims of tensors of which others are not
// known, as shapes are put together of (shape_values.h).
// Values are those of the reference kernels, in the dtype of the operator: nothing is rounded
// that the operator itself would not round.
#include <algorithm>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/shape_values.h"

namespace ge {
namespace {

bool MayChange(const Node& node) {
  return node.type() != "Data" && node.type() != "Const" && node.type() != "NetOutput";
}

// Infers `node` again; true when an output looks different now.
Result<bool> Refresh(Node& node) {
  std::vector<TensorDesc> before;
  for (size_t i = 0; i < node.output_count(); ++i) before.push_back(node.output(i));
  GE_TRY(InferNode(node));
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] != node.output(i)) return true;
  }
  return false;
}

// Bytes that go when `node` goes: constants that it alone reads.
int64_t OwnConstants(const Node& node) {
  int64_t bytes = 0;
  for (size_t i = 0; i < node.input_count(); ++i) {
    const Value input = node.input(i);
    if (!input || !input.node->is_const() || input.node->uses(0).size() != 1) continue;
    bytes += static_cast<int64_t>(input.node->value().size());
  }
  return bytes;
}

// Makes `node` a constant when all its elements are known as those of a shape.
bool FoldShape(Node& node, const ShapeValues& values) {
  const std::optional<std::vector<int64_t>> numbers = values.Numbers(node.out());
  if (!numbers) return false;
  std::vector<uint8_t> bytes;
  for (const int64_t number : *numbers) {
    const size_t size =
        node.output(0).dtype == DataType::kInt64 ? sizeof(int64_t) : sizeof(int32_t);
    const auto* first = reinterpret_cast<const uint8_t*>(&number);  // little endian
    bytes.insert(bytes.end(), first, first + size);
  }
  node.BecomeConst(Buffer::Own(std::move(bytes)));
  return true;
}

}  // namespace

Result<size_t> FoldConstants(Graph& graph) {
  size_t changes = 0;
  const size_t count = graph.size();  // the constants that are added need no visit
  std::vector<bool> stale(count);     // nodes that read something new
  const auto mark_readers = [&](const Node& node) {
    for (size_t i = 0; i < node.output_count(); ++i) {
      for (const Use& use : node.uses(i)) stale[use.node->index()] = true;
    }
  };
  ShapeValues known;
  for (size_t index = 0; index < count; ++index) {
    Node& node = *graph.nodes()[index];
    if (MayChange(node)) {
      if (stale[index]) {
        GE_ASSIGN(const bool different, Refresh(node));
        if (different) mark_readers(node);
      }
      if (!node.has_uses()) continue;
      GE_ASSIGN(const std::vector<Value> values,
                FoldNode(node, std::max(kFoldLimitBytes, OwnConstants(node))));
      for (const Value& value : values) mark_readers(*value.node);
      changes += values.empty() ? 0 : 1;
    }
    known.Visit(node);
    if (node.is_const() || !FoldShape(node, known)) continue;
    mark_readers(node);
    ++changes;
  }
  if (changes != 0) graph.SortTopologically();
  return changes;
}

}  // namespace ge
