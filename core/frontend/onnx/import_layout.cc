// Transpose -> Transpose, Expand -> Expand, Tile -> Tile, ReverseSequence -> ReverseSequence.
// Before opset 6 Tile repeats along one axis.
// Concat -> ConcatD, of a single input Identity.
// Split -> Split (equal parts) or SplitV (the sizes are given, or the last part is smaller).
#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

Status ImportTranspose(OnnxOp& op) {
  std::vector<int64_t> perm = op.Ints("perm");
  if (!op.HasAttr("perm")) {
    if (op.shape(0).unknown_rank()) {
      return op.Unsupported("attribute perm left out for an input of unknown rank");
    }
    for (size_t axis = op.shape(0).rank(); axis-- > 0;) perm.push_back(static_cast<int64_t>(axis));
  }
  return op.EmitAs0("Transpose", {op.input(0), op.ConstList(perm, DataType::kInt32)});
}

Status ImportExpand(OnnxOp& op) {
  return op.EmitAs0("Expand", {op.input(0), op.input(1)});
}

// Repeats of every axis from `tiles` and `axis`, which have the dtype of the data before opset 6.
Result<Value> RepeatsOfOneAxis(OnnxOp& op) {
  const Shape& x = op.shape(0);
  if (x.unknown_rank()) return op.Unsupported("an input of unknown rank");
  for (size_t i = 1; i < 3; ++i) {
    if (op.shape(i).is_static() && op.shape(i).elements() != 1) {
      return op.Fail("input " + std::to_string(i) + " has shape " + op.shape(i).ToString() +
                     "; one element is accepted");
    }
  }
  Formula f(op);
  const Value tiles = f.Reshape(f.Cast(op.input(1), DataType::kInt64), {1});
  const Value axis = f.Reshape(f.Cast(op.input(2), DataType::kInt64), {1});
  const Value repeats =
      f("ScatterElements", {f.Ints(std::vector<int64_t>(x.rank(), 1)), axis, tiles},
        {{"axis", int64_t{0}}});
  GE_TRY(f.status());
  return repeats;
}

Status ImportTile(OnnxOp& op) {
  if (op.opset() < 6) {
    GE_ASSIGN(const Value repeats, RepeatsOfOneAxis(op));
    return op.EmitAs0("Tile", {op.input(0), repeats});
  }
  return op.EmitAs0("Tile", {op.input(0), op.input(1)});
}

Status ImportReverseSequence(OnnxOp& op) {
  return op.EmitAs0("ReverseSequence", {op.input(0), op.input(1)},
                    {{"seq_dim", op.Int("time_axis", 0)}, {"batch_dim", op.Int("batch_axis", 1)}});
}

Status ImportConcat(OnnxOp& op) {
  if (!op.HasAttr("axis") && op.opset() >= 4) return op.Fail("attribute axis is missing");
  std::vector<Value> inputs;
  for (size_t i = 0; i < op.input_count(); ++i) {
    if (!op.has_input(i)) return op.Fail("input " + std::to_string(i) + " is missing");
    inputs.push_back(op.input(i));
  }
  if (inputs.size() == 1) return op.EmitAs0("Identity", std::move(inputs));
  const int64_t count = static_cast<int64_t>(inputs.size());
  return op.EmitAs0("ConcatD", std::move(inputs),
                    {{"concat_dim", op.Int("axis", 1)}, {"N", count}});
}

// Sizes of `parts` parts of which the last may be smaller; empty when they are equal or the dim is
// not known.
Result<std::vector<int64_t>> UnevenSizes(const OnnxOp& op, int64_t axis, int64_t parts) {
  const Shape& x = op.shape(0);
  if (x.unknown_rank()) return std::vector<int64_t>{};
  const std::optional<size_t> index = NormalizeAxis(axis, x.rank());
  if (!index || x[*index] == kUnknownDim || x[*index] % parts == 0) return std::vector<int64_t>{};
  const int64_t size = x[*index] / parts + 1;
  const int64_t last = x[*index] - size * (parts - 1);
  if (last < 0 || !op.HasAttr("num_outputs")) {
    return op.Fail("axis " + std::to_string(*index) + " of " + x.ToString() +
                   " cannot be split into " + std::to_string(parts) + " equal parts");
  }
  std::vector<int64_t> sizes(static_cast<size_t>(parts), size);
  sizes.back() = last;
  return sizes;
}

Status ImportSplit(OnnxOp& op) {
  if (op.opset() < 2 && !op.HasAttr("axis")) return op.Fail("attribute axis is missing");
  const int64_t axis = op.Int("axis", 0);
  const int64_t parts = static_cast<int64_t>(op.output_count());
  if (op.Int("num_outputs", parts) != parts) {
    return op.Fail("attribute num_outputs is " + std::to_string(op.Int("num_outputs", 0)) +
                   ", but the node has " + std::to_string(parts) + " outputs");
  }
  Value sizes = op.input(1);
  if (op.HasAttr("split")) {
    sizes = op.ConstList(op.Ints("split"));
  } else if (sizes && IsFloat(sizes.desc().dtype)) {  // opset 1: the dtype of the data
    GE_ASSIGN(sizes, op.EmitHelper("Cast", {sizes},
                                   {{"dst_type", static_cast<int64_t>(DataType::kInt64)}}));
  } else if (!sizes) {
    GE_ASSIGN(const std::vector<int64_t> uneven, UnevenSizes(op, axis, parts));
    if (!uneven.empty()) sizes = op.ConstList(uneven);
  }
  const Value split_dim = op.ConstList({&axis, 1}, DataType::kInt32);
  const AttrList attrs = {{"num_split", parts}};
  GE_ASSIGN(const std::vector<Value> values,
            sizes ? op.Emit("SplitV", {op.input(0), sizes, split_dim}, attrs, op.output_count())
                  : op.Emit("Split", {split_dim, op.input(0)}, attrs, op.output_count()));
  for (size_t i = 0; i < values.size(); ++i) op.SetOutput(i, values[i]);
  return Status::Ok();
}

GE_ONNX_OP("Transpose", ImportTranspose);
GE_ONNX_OP("Expand", ImportExpand);
GE_ONNX_OP("Tile", ImportTile);
GE_ONNX_OP("ReverseSequence", ImportReverseSequence);
GE_ONNX_OP("Concat", ImportConcat);
GE_ONNX_OP("Split", ImportSplit);

}  // namespace
}  // namespace ge::onnx
