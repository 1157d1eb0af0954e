// Reductions.  Axes are an attribute, and from opset 13 (ReduceSum) or 18 (the others) an input.
//
//   ReduceSum, Mean, Max, Min, Prod, LogSum, LogSumExp   the GE operator with axes as an input;
//                                                        Max and Min of bool: ReduceAny, ReduceAll
//   ReduceSumSquare, L1, L2   SquareSumV1, LpNormV2 with axes as an attribute; with axes that are
//                             not known at compile time a chain around ReduceSum
//
// No axes means all of them, or with noop_with_empty_axes = 1 that every element is reduced alone.
#include <numeric>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

struct Axes {
  // Known at compile time and not empty, unless all axes of an unknown rank are meant.
  std::optional<std::vector<int64_t>> known;
  Value input;              // when not known
  bool each_alone = false;  // noop_with_empty_axes, and there are no axes
  bool noop = false;        // attribute noop_with_empty_axes, of importance for `input`
};

Result<Axes> AxesOf(const OnnxOp& op, int64_t input_since) {
  Axes axes;
  const bool as_input = op.opset() >= input_since;
  GE_TRY(AcceptInputs(op, as_input ? 2 : 1));
  if (!op.has_input(0)) return op.Fail("input data is missing");
  if (as_input) {
    axes.noop = op.Int("noop_with_empty_axes", 0) != 0;
    axes.known = op.has_input(1) ? op.ConstInts(1) : std::vector<int64_t>{};
    axes.input = op.input(1);
    if (op.has_input(1) && op.shape(1) == Shape{0}) axes.known = std::vector<int64_t>{};
  } else {
    axes.known = op.Ints("axes");
  }
  if (!axes.known || !axes.known->empty()) return axes;
  axes.each_alone = axes.noop;
  if (!op.shape(0).unknown_rank()) {
    axes.known->resize(op.shape(0).rank());
    std::iota(axes.known->begin(), axes.known->end(), 0);
  }
  return axes;
}

bool KeepDims(const OnnxOp& op) {
  return op.Int("keepdims", 1) != 0;
}

Value AxesInput(OnnxOp& op, const Axes& axes) {
  return axes.known ? op.ConstList(*axes.known) : axes.input;
}

// An operator with axes as input 1.  `alone` is the GE type of the function of one element, empty
// when that is the element itself.
Status Reduce(OnnxOp& op, std::string_view type, const Axes& axes, std::string_view alone = {}) {
  if (axes.each_alone) {
    if (!alone.empty()) return op.EmitAs0(alone, {op.input(0)});
    op.SetOutput(0, op.input(0));
    return Status::Ok();
  }
  AttrList attrs = {{"keep_dims", KeepDims(op)}};
  const bool has_noop = type != "ReduceAny" && type != "ReduceAll" && type != "ReduceLogSum";
  if (has_noop) attrs.emplace_back("noop_with_empty_axes", axes.noop && !axes.known);
  if (!has_noop && axes.noop && !axes.known) {
    return op.Unsupported(
        "noop_with_empty_axes = 1 with axes that are not constant; 0 or constant axes are "
        "accepted");
  }
  return op.EmitAs0(type, {op.input(0), AxesInput(op, axes)}, std::move(attrs));
}

Status ImportReduceSum(OnnxOp& op) {
  GE_TRY(AcceptDtypes(op, kNumbers, 0));
  GE_ASSIGN(const Axes axes, AxesOf(op, 13));
  return Reduce(op, "ReduceSum", axes);
}
GE_ONNX_OP("ReduceSum", ImportReduceSum);

Status ImportSameName(OnnxOp& op) {
  GE_TRY(AcceptDtypes(op, kNumbers, 0));
  GE_ASSIGN(const Axes axes, AxesOf(op, 18));
  return Reduce(op, op.node().op_type, axes);
}
GE_ONNX_OP("ReduceMean", ImportSameName);
GE_ONNX_OP("ReduceProd", ImportSameName);
GE_ONNX_OP("ReduceLogSumExp", ImportSameName);

Status ImportReduceMaxMin(OnnxOp& op) {
  GE_TRY(AcceptDtypes(op, kNumbers | kBools, 0));
  GE_ASSIGN(const Axes axes, AxesOf(op, 18));
  const std::string_view type = op.node().op_type;
  if (op.desc(0).dtype != DataType::kBool) return Reduce(op, type, axes);
  return Reduce(op, type == "ReduceMax" ? "ReduceAny" : "ReduceAll", axes);
}
GE_ONNX_OP("ReduceMax", ImportReduceMaxMin);
GE_ONNX_OP("ReduceMin", ImportReduceMaxMin);

Status ImportReduceLogSum(OnnxOp& op) {
  GE_TRY(AcceptDtypes(op, kNumbers, 0));
  GE_ASSIGN(const Axes axes, AxesOf(op, 18));
  return Reduce(op, "ReduceLogSum", axes, "Log");
}
GE_ONNX_OP("ReduceLogSum", ImportReduceLogSum);

// ReduceSum(each(x)) with axes that are known at run time only.
Result<Value> SumOf(OnnxOp& op, std::string_view each, const Axes& axes) {
  GE_ASSIGN(const Value x, op.EmitHelper(each, {op.input(0)}));
  return op.EmitHelper("ReduceSum", {x, axes.input},
                       {{"keep_dims", KeepDims(op)}, {"noop_with_empty_axes", axes.noop}});
}

Status ImportReduceSumSquare(OnnxOp& op) {
  GE_TRY(AcceptDtypes(op, kNumbers, 0));
  GE_ASSIGN(const Axes axes, AxesOf(op, 18));
  if (axes.each_alone) return op.EmitAs0("Square", {op.input(0)});
  if (axes.known) {
    return op.EmitAs0("SquareSumV1", {op.input(0)},
                      {{"axis", *axes.known}, {"keep_dims", KeepDims(op)}});
  }
  GE_ASSIGN(const Value sum, SumOf(op, "Square", axes));
  op.SetOutput(0, sum);
  return Status::Ok();
}
GE_ONNX_OP("ReduceSumSquare", ImportReduceSumSquare);

Status ImportReduceL1(OnnxOp& op) {
  GE_TRY(AcceptDtypes(op, kNumbers, 0));
  GE_ASSIGN(const Axes axes, AxesOf(op, 18));
  if (axes.each_alone) return op.EmitAs0("Abs", {op.input(0)});
  if (axes.known) {
    return op.EmitAs0("LpNormV2", {op.input(0)},
                      {{"p", 1.0f}, {"axes", *axes.known}, {"keepdim", KeepDims(op)}});
  }
  GE_ASSIGN(const Value sum, SumOf(op, "Abs", axes));
  op.SetOutput(0, sum);
  return Status::Ok();
}
GE_ONNX_OP("ReduceL1", ImportReduceL1);

Status ImportReduceL2(OnnxOp& op) {
  GE_TRY(AcceptDtypes(op, kNumbers, 0));
  GE_ASSIGN(const Axes axes, AxesOf(op, 18));
  if (axes.each_alone) return op.EmitAs0("Abs", {op.input(0)});
  if (axes.known) {
    return op.EmitAs0("LpNormV2", {op.input(0)},
                      {{"p", 2.0f}, {"axes", *axes.known}, {"keepdim", KeepDims(op)}});
  }
  // The square root of a sum of integers is cut off.
  const DataType dtype = op.desc(0).dtype;
  Formula f(op);
  const Value x = f.Cast(op.input(0), IsFloat(dtype) ? dtype : DataType::kDouble);
  const Value sum = f("ReduceSum", {f("Square", {x}), axes.input},
                      {{"keep_dims", KeepDims(op)}, {"noop_with_empty_axes", axes.noop}});
  const Value y = f.Cast(f("Sqrt", {sum}), dtype);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("ReduceL2", ImportReduceL2);

}  // namespace
}  // namespace ge::onnx
