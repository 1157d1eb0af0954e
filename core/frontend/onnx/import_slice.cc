// Slice -> StridedSliceV2, whose ports begin, end, axes and strides are ONNX's inputs in order;
// before opset 10 they are constants made from the attributes.
// Pad -> PadV3 with ONNX's order of pads, an attribute before opset 11.  With an input axes the
// pads are spread over all axes. CenterCropPad -> StridedSliceV2 and PadV3.
#include <algorithm>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"
#include "ops/infer_rules.h"

namespace ge::onnx {
namespace {

Status ImportSlice(OnnxOp& op) {
  if (op.opset() >= 10) {
    return op.EmitAs0("StridedSliceV2",
                      {op.input(0), op.input(1), op.input(2), op.input(3), op.input(4)});
  }
  const std::vector<int64_t> starts = op.Ints("starts"), ends = op.Ints("ends");
  if (starts.empty() && ends.empty()) return op.Fail("attributes starts and ends are missing");
  std::vector<Value> inputs = {op.input(0), op.ConstList(starts), op.ConstList(ends)};
  if (op.HasAttr("axes")) inputs.push_back(op.ConstList(op.Ints("axes")));
  return op.EmitAs0("StridedSliceV2", std::move(inputs));
}

// The pads of `axes`, all before and then all after, as pads of every axis of the input.
Result<std::vector<int64_t>> SpreadPads(const OnnxOp& op, const std::vector<int64_t>& pads,
                                        const std::vector<int64_t>& axes) {
  const Shape& x = op.shape(0);
  if (pads.size() != 2 * axes.size()) {
    return op.Fail(std::to_string(pads.size()) + " pads are given for " +
                   std::to_string(axes.size()) + " axes; two per axis are accepted");
  }
  std::vector<int64_t> spread(2 * x.rank());
  std::vector<bool> seen(x.rank());
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::optional<size_t> axis = NormalizeAxis(axes[i], x.rank());
    if (!axis || seen[*axis]) {
      return op.Fail("axes " + Shape(axes).ToString() + " do not fit input " + x.ToString());
    }
    seen[*axis] = true;
    spread[*axis] = pads[i];
    spread[x.rank() + *axis] = pads[axes.size() + i];
  }
  return spread;
}

// The same for values that are known at run time.
Value SpreadAtRun(Formula& f, Value pads, Value axes, int64_t rank) {
  const Value first = f("FloorMod", {f.Cast(axes, DataType::kInt64), f.Ints({rank})});
  const Value places = f.Concat({first, f("Add", {first, f.Ints({rank})})}, 0);
  const Value none = f.Ints(std::vector<int64_t>(static_cast<size_t>(2 * rank)));
  return f("ScatterElements", {none, places, f.Cast(pads, DataType::kInt64)},
           {{"axis", int64_t{0}}});
}

Status ImportPad(OnnxOp& op) {
  const AttrList attrs = {{"mode", op.Str("mode", "constant")}, {"paddings_contiguous", false}};
  if (op.opset() < 11) {
    const std::string name = op.opset() < 2 ? "paddings" : "pads";
    if (!op.HasAttr(name)) return op.Fail("attribute " + name + " is missing");
    const float value = op.Float("value", 0);
    return op.EmitAs0("PadV3",
                      {op.input(0), op.ConstList(op.Ints(name)),
                       value == 0 ? Value{} : op.ConstScalar(value, op.desc(0).dtype)},
                      attrs);
  }
  Value pads = op.input(1);
  if (op.has_input(3)) {
    const std::optional<std::vector<int64_t>> axes = op.ConstInts(3), values = op.ConstInts(1);
    if (op.shape(0).unknown_rank()) return op.Unsupported("axes with an input of unknown rank");
    if (axes && values) {
      GE_ASSIGN(const std::vector<int64_t> spread, SpreadPads(op, *values, *axes));
      pads = op.ConstList(spread);
    } else {
      Formula f(op);
      pads = SpreadAtRun(f, op.input(1), op.input(3), static_cast<int64_t>(op.shape(0).rank()));
      GE_TRY(f.status());
    }
  }
  return op.EmitAs0("PadV3", {op.input(0), pads, op.input(2)}, attrs);
}

Status ImportCenterCropPad(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  const Shape &x = op.shape(0), &list = op.shape(1);
  if (x.unknown_rank()) return op.Unsupported("an input of unknown rank");
  const int64_t rank = static_cast<int64_t>(x.rank());
  std::vector<int64_t> axes = op.Ints("axes");
  for (int64_t axis = 0; !op.HasAttr("axes") && axis < rank; ++axis) axes.push_back(axis);
  if (!list.unknown_rank() && !MergeShapes(list, Shape{static_cast<int64_t>(axes.size())})) {
    return op.Fail("shape has shape " + list.ToString() + " for " + std::to_string(axes.size()) +
                   " axes");
  }
  std::vector<bool> seen(x.rank());
  for (int64_t& axis : axes) {
    const std::optional<size_t> index = NormalizeAxis(axis, x.rank());
    if (!index || seen[*index]) {
      return op.Fail("axes " + Shape(axes).ToString() + " do not fit input " + x.ToString());
    }
    seen[*index] = true;
    axis = static_cast<int64_t>(*index);
  }
  Formula f(op);
  const Value wanted = f.Cast(op.input(1), DataType::kInt64), two = f.Ints({2});
  std::vector<Value> sizes;
  for (const int64_t axis : axes) sizes.push_back(f.Dim(op.input(0), axis));
  if (sizes.empty()) {
    op.SetOutput(0, op.input(0));
    return Status::Ok();
  }
  // Of an odd number of elements more is cut off, or added, behind.
  const Value dims = f.Concat(sizes, 0);
  const Value kept = f("Minimum", {dims, wanted});
  const Value begin = f("FloorDiv", {f("Sub", {dims, kept}), two});
  const Value part =
      f("StridedSliceV2", {op.input(0), begin, f("Add", {begin, kept}), f.Ints(axes)});
  const Value missing = f("Sub", {wanted, kept});
  const Value before = f("FloorDiv", {missing, two});
  const Value pads = f.Concat({before, f("Sub", {missing, before})}, 0);
  const Value spread = SpreadAtRun(f, pads, f.Ints(axes), rank);
  GE_TRY(f.status());
  return op.EmitAs0("PadV3", {part, spread},
                    {{"mode", std::string("constant")}, {"paddings_contiguous", false}});
}

GE_ONNX_OP("Slice", ImportSlice);
GE_ONNX_OP("Pad", ImportPad);
GE_ONNX_OP("CenterCropPad", ImportCenterCropPad);

}  // namespace
}  // namespace ge::onnx
