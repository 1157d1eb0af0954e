// SequenceEmpty, SequenceConstruct, SequenceInsert, SequenceErase, SequenceAt, SequenceLength,
// SequenceMap, SplitToSequence, ConcatFromSequence.
//
// A sequence is followed while the model is imported: which tensors it has, and in which order, is
// known at each node, and SequenceAt is the tensor itself.  Positions and numbers of parts are
// therefore constant, except that of SequenceAt among tensors of one shape, which is a GatherV2.
#include "frontend/onnx/accept.h"
#include "frontend/onnx/control_flow.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

constexpr int64_t kMaxParts = 65536;

Result<std::vector<Value>> ElementsOf(OnnxOp& op, size_t i) {
  GE_TRY(RequireInputs(op, i + 1));
  const std::vector<Value>* elements = op.builder().state().containers.Elements(op.input(i));
  if (elements == nullptr) return op.Fail("input " + std::to_string(i) + " is not a sequence");
  return *elements;
}

Status SetSequence(OnnxOp& op, size_t output, std::vector<Value> elements) {
  for (const Value element : elements) {
    if (element.desc().dtype == elements[0].desc().dtype) continue;
    return op.Fail("a sequence of " + std::string(UserName(elements[0].desc().dtype)) + " and " +
                   std::string(UserName(element.desc().dtype)) +
                   "; elements of one dtype are accepted");
  }
  const Value sequence = op.builder().state().containers.Sequence(std::move(elements));
  if (!sequence) return op.Unsupported("sequences with millions of elements");
  op.SetOutput(output, sequence);
  return Status::Ok();
}

// Position input `i` in a sequence, counted from the front; 0 to `last` are accepted.
Result<size_t> PositionOf(OnnxOp& op, size_t i, int64_t count, int64_t last) {
  const std::optional<std::vector<int64_t>> given = op.ConstInts(i);
  if (!given) return op.Unsupported("a position that is not constant");
  if (given->size() != 1) return op.Fail("the position has shape " + op.shape(i).ToString());
  const int64_t position = given->front() < 0 ? given->front() + count : given->front();
  if (position >= 0 && position <= last) return static_cast<size_t>(position);
  return op.Fail("position " + std::to_string(given->front()) + " is outside a sequence of " +
                 std::to_string(count) + " tensors");
}

Status ImportSequenceEmpty(OnnxOp& op) {
  return SetSequence(op, 0, {});
}

Status ImportSequenceConstruct(OnnxOp& op) {
  GE_TRY(RequireInputs(op, op.input_count()));
  std::vector<Value> elements;
  for (size_t i = 0; i < op.input_count(); ++i) elements.push_back(op.input(i));
  return SetSequence(op, 0, std::move(elements));
}

Status ImportSequenceInsert(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(RequireInputs(op, 2));
  GE_ASSIGN(std::vector<Value> elements, ElementsOf(op, 0));
  if (op.builder().state().containers.Holds(op.input(1))) {
    return op.Fail("input 1 is a sequence or an empty optional; a tensor is accepted");
  }
  const auto count = static_cast<int64_t>(elements.size());
  size_t position = elements.size();
  if (op.has_input(2)) {
    GE_ASSIGN(position, PositionOf(op, 2, count, count));
  }
  elements.insert(elements.begin() + static_cast<ptrdiff_t>(position), op.input(1));
  return SetSequence(op, 0, std::move(elements));
}

Status ImportSequenceErase(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 2));
  GE_ASSIGN(std::vector<Value> elements, ElementsOf(op, 0));
  const auto count = static_cast<int64_t>(elements.size());
  if (elements.empty()) return op.Fail("the sequence has no tensors");
  size_t position = elements.size() - 1;
  if (op.has_input(1)) {
    GE_ASSIGN(position, PositionOf(op, 1, count, count - 1));
  }
  elements.erase(elements.begin() + static_cast<ptrdiff_t>(position));
  return SetSequence(op, 0, std::move(elements));
}

// The element at a position that is known at run time.
Status GatherElement(OnnxOp& op, const std::vector<Value>& elements) {
  const Shape& shape = elements[0].desc().shape;
  Formula f(op);
  std::vector<Value> parts;
  for (const Value element : elements) {
    if (!shape.is_static() || element.desc().shape != shape) {
      return op.Unsupported("a position that is not constant, in a sequence of different shapes");
    }
    parts.push_back(f.Unsqueeze(element, {0}));
  }
  const Value y = f.Gather(f.Concat(parts, 0), f.Reshape(op.input(1), std::vector<int64_t>{}), 0);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}

Status ImportSequenceAt(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(RequireInputs(op, 2));
  GE_ASSIGN(const std::vector<Value> elements, ElementsOf(op, 0));
  if (elements.empty()) return op.Fail("the sequence has no tensors");
  if (!op.ConstInts(1)) return GatherElement(op, elements);
  const auto count = static_cast<int64_t>(elements.size());
  GE_ASSIGN(const size_t position, PositionOf(op, 1, count, count - 1));
  op.SetOutput(0, elements[position]);
  return Status::Ok();
}

Status ImportSequenceLength(OnnxOp& op) {
  GE_ASSIGN(const std::vector<Value> elements, ElementsOf(op, 0));
  op.SetOutput(0, op.ConstScalar(static_cast<double>(elements.size()), DataType::kInt64));
  return Status::Ok();
}

struct Parts {
  int64_t count = 0;
  Value sizes;  // null: all of one size
};

// How many parts, of which sizes, an axis of length `dim` is cut into.
Result<Parts> PartsOf(OnnxOp& op, int64_t dim) {
  if (op.has_input(1) && !op.shape(1).has_rank(0)) {
    if (!op.shape(1).has_rank(1)) {
      return op.Fail("split has shape " + op.shape(1).ToString() +
                     "; a scalar and a list are accepted");
    }
    if (op.shape(1)[0] == kUnknownDim) return op.Unsupported("a split of unknown length");
    return Parts{op.shape(1)[0], op.input(1)};
  }
  int64_t size = 1;
  if (op.has_input(1)) {
    const std::optional<std::vector<int64_t>> given = op.ConstInts(1);
    if (!given) return op.Unsupported("a scalar split that is not constant");
    size = given->front();
    if (size < 1) return op.Fail("split is " + std::to_string(size) + "; 1 or more is accepted");
  }
  if (dim == kUnknownDim) return op.Unsupported("an axis of unknown length");
  Parts parts = {dim / size + (dim % size != 0), {}};
  if (dim % size != 0 && parts.count <= kMaxParts) {
    std::vector<int64_t> sizes(static_cast<size_t>(parts.count), size);
    sizes.back() = dim % size;
    parts.sizes = op.ConstList(sizes);
  }
  return parts;
}

Status ImportSplitToSequence(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 2));
  if (op.shape(0).unknown_rank()) return op.Unsupported("an input of unknown rank");
  GE_ASSIGN(const int64_t axis, AcceptAxis(op, op.Int("axis", 0)));
  GE_ASSIGN(const Parts parts, PartsOf(op, op.shape(0)[static_cast<size_t>(axis)]));
  if (parts.count > kMaxParts) {
    return op.Unsupported("more than " + std::to_string(kMaxParts) + " parts");
  }
  if (parts.count == 0) return SetSequence(op, 0, {});
  const auto count = static_cast<size_t>(parts.count);
  const Value split_dim = op.ConstList({&axis, 1}, DataType::kInt32);
  const AttrList attrs = {{"num_split", parts.count}};
  GE_ASSIGN(std::vector<Value> values,
            parts.sizes ? op.Emit("SplitV", {op.input(0), parts.sizes, split_dim}, attrs, count)
                        : op.Emit("Split", {split_dim, op.input(0)}, attrs, count));
  if (!op.has_input(1) && op.Int("keepdims", 1) == 0) {
    for (Value& value : values) {
      GE_ASSIGN(value, op.EmitHelper("Squeeze", {value}, {{"axis", std::vector<int64_t>{axis}}}));
    }
  }
  return SetSequence(op, 0, std::move(values));
}

Status ImportConcatFromSequence(OnnxOp& op) {
  GE_ASSIGN(std::vector<Value> elements, ElementsOf(op, 0));
  if (!op.HasAttr("axis")) return op.Fail("attribute axis is missing");
  if (elements.empty()) return op.Fail("the sequence has no tensors");
  const int64_t axis = op.Int("axis", 0), new_axis = op.Int("new_axis", 0);
  if (new_axis != 0 && new_axis != 1) {
    return op.Fail("new_axis is " + std::to_string(new_axis) + "; 0 and 1 are accepted");
  }
  for (Value& element : elements) {
    if (new_axis == 0) break;
    GE_ASSIGN(element,
              op.EmitHelper("Unsqueeze", {element}, {{"axes", std::vector<int64_t>{axis}}}));
  }
  if (elements.size() == 1) return op.EmitAs0("Identity", std::move(elements));
  const auto count = static_cast<int64_t>(elements.size());
  return op.EmitAs0("ConcatD", std::move(elements), {{"concat_dim", axis}, {"N", count}});
}

// The body once per tensor of the first sequence; inputs that are tensors are the same each time.
Status ImportSequenceMap(OnnxOp& op) {
  const Graph* body = op.GraphAttr("body");
  if (body == nullptr) return op.Fail("it needs a body");
  if (body->inputs.size() != op.input_count() || body->outputs.size() < op.output_count()) {
    return op.Fail("its body has " + std::to_string(body->inputs.size()) + " inputs and " +
                   std::to_string(body->outputs.size()) + " outputs, the node " +
                   std::to_string(op.input_count()) + " and " + std::to_string(op.output_count()));
  }
  GE_TRY(RequireInputs(op, op.input_count()));
  GE_ASSIGN(const std::vector<Value> first, ElementsOf(op, 0));
  GraphBuilder& builder = op.builder();
  Containers& containers = builder.state().containers;
  std::vector<std::vector<Value>> collected(op.output_count());
  for (size_t sample = 0; sample < first.size(); ++sample) {
    Names names = ScopeOf(*body, builder.names());
    names.outer = &builder.names();
    names.prefix = op.name() + "/" + std::to_string(sample) + "/";
    for (size_t i = 0; i < op.input_count(); ++i) {
      const std::vector<Value>* elements = containers.Elements(op.input(i));
      if (elements != nullptr && elements->size() != first.size()) {
        return op.Fail("input " + std::to_string(i) + " has " + std::to_string(elements->size()) +
                       " tensors, input 0 has " + std::to_string(first.size()));
      }
      names.values.Insert(body->inputs[i].name,
                          elements != nullptr ? (*elements)[sample] : op.input(i));
    }
    GE_TRY(builder.ImportNodes(body->nodes, OutputNames(*body), names));
    GE_ASSIGN(const std::vector<Value> results, ResultsOf(op, builder, *body, names));
    if (results.empty()) return op.Poison();
    for (size_t i = 0; i < collected.size(); ++i) {
      if (containers.Holds(results[i])) return op.Fail("its body gives a sequence");
      collected[i].push_back(results[i]);
    }
  }
  for (size_t i = 0; i < collected.size(); ++i) {
    GE_TRY(SetSequence(op, i, std::move(collected[i])));
  }
  return Status::Ok();
}

GE_ONNX_OP("SequenceEmpty", ImportSequenceEmpty);
GE_ONNX_OP("SequenceConstruct", ImportSequenceConstruct);
GE_ONNX_OP("SequenceInsert", ImportSequenceInsert);
GE_ONNX_OP("SequenceErase", ImportSequenceErase);
GE_ONNX_OP("SequenceAt", ImportSequenceAt);
GE_ONNX_OP("SequenceLength", ImportSequenceLength);
GE_ONNX_OP("SequenceMap", ImportSequenceMap);
GE_ONNX_OP("SplitToSequence", ImportSplitToSequence);
GE_ONNX_OP("ConcatFromSequence", ImportConcatFromSequence);

}  // namespace
}  // namespace ge::onnx
