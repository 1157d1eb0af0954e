// Slice -> StridedSliceV2, whose ports begin, end, axes and strides are ONNX's inputs in order;
// before opset 10 they are constants made from the attributes.
// Pad -> PadV3 with ONNX's order of pads.  With an input axes the pads are spread over all axes.
// CenterCropPad -> StridedSliceV2 and PadV3.
#include <algorithm>

#include "frontend/onnx/onnx_op.h"

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

Status ImportPad(OnnxOp& op) {
  const AttrList attrs = {{"mode", op.Str("mode", "constant")}, {"paddings_contiguous", false}};
  if (op.opset() < 11) {
    if (!op.HasAttr("pads")) return op.Fail("attribute pads is missing");
    const float value = op.Float("value", 0);
    return op.EmitAs0("PadV3",
                      {op.input(0), op.ConstList(op.Ints("pads")),
                       value == 0 ? Value{} : op.ConstScalar(value, op.desc(0).dtype)},
                      attrs);
  }
  Value pads = op.input(1);
  if (op.has_input(3)) {
    const std::optional<std::vector<int64_t>> axes = op.ConstInts(3), values = op.ConstInts(1);
    if (!axes || !values || op.shape(0).unknown_rank()) {
      return op.Unsupported(
          "input axes with pads or axes that are not constant, or an input of "
          "unknown rank");
    }
    GE_ASSIGN(const std::vector<int64_t> spread, SpreadPads(op, *values, *axes));
    pads = op.ConstList(spread);
  }
  return op.EmitAs0("PadV3", {op.input(0), pads, op.input(2)}, attrs);
}

Status ImportCenterCropPad(OnnxOp& op) {
  const Shape& x = op.shape(0);
  const std::optional<std::vector<int64_t>> wanted = op.ConstInts(1);
  if (!wanted || !x.is_static()) {
    return op.Unsupported("an input shape that is not constant, or data of unknown dims");
  }
  std::vector<int64_t> axes = op.Ints("axes");
  for (size_t axis = 0; !op.HasAttr("axes") && axis < x.rank(); ++axis) {
    axes.push_back(static_cast<int64_t>(axis));
  }
  if (axes.size() != wanted->size()) {
    return op.Fail(std::to_string(wanted->size()) + " dims are given for " +
                   std::to_string(axes.size()) + " axes");
  }
  std::vector<int64_t> begin(x.rank(), 0), end = x.dims(), pads(2 * x.rank(), 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const std::optional<size_t> axis = NormalizeAxis(axes[i], x.rank());
    const int64_t size = (*wanted)[i];
    if (!axis || size < 0) {
      return op.Fail("axes " + Shape(axes).ToString() + " and shape " + Shape(*wanted).ToString() +
                     " do not fit input " + x.ToString());
    }
    const int64_t dim = x[*axis];
    if (size < dim) {  // of an odd number of elements more is cut off, or added, behind
      begin[*axis] = (dim - size) / 2;
      end[*axis] = begin[*axis] + size;
    } else {
      pads[*axis] = (size - dim) / 2;
      pads[x.rank() + *axis] = size - dim - pads[*axis];
    }
  }
  GE_ASSIGN(const Value part,
            op.EmitHelper("StridedSliceV2", {op.input(0), op.ConstList(begin), op.ConstList(end)}));
  return op.EmitAs0("PadV3", {part, op.ConstList(pads)},
                    {{"mode", std::string("constant")}, {"paddings_contiguous", false}});
}

GE_ONNX_OP("Slice", ImportSlice);
GE_ONNX_OP("Pad", ImportPad);
GE_ONNX_OP("CenterCropPad", ImportCenterCropPad);

}  // namespace
}  // namespace ge::onnx
