// Softmax, LogSoftmax, Hardmax, MeanVarianceNormalization.
//
// From opset 13 on the first three work along one axis, by default the last.  Before, x counts as
// a matrix whose rows are the axes before `axis` (default 1), and whose columns are those from it
// on: a group is all elements that agree in the axes before.  SoftmaxV2 and LogSoftmaxV2 take that
// group as a list of axes; HardMax takes one axis, so x is reshaped for it if need be.
#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

// The axes of one group.  Axes of size 1 behind the first do not matter and are left out.
Result<std::vector<int64_t>> GroupAxes(const OnnxOp& op) {
  const bool flatten = op.opset() < 13;
  const int64_t raw = op.Int("axis", flatten ? 1 : -1);
  GE_ASSIGN(const int64_t axis, AcceptAxis(op, raw));
  std::vector<int64_t> axes = {axis};
  if (!flatten || axis == -1) return axes;
  const Shape& x = op.shape(0);
  if (x.unknown_rank()) {
    return op.Unsupported("an input of unknown rank with axis " + std::to_string(raw) +
                          " below opset 13; a known rank or axis -1 is accepted");
  }
  for (size_t i = static_cast<size_t>(axis) + 1; i < x.rank(); ++i) {
    if (x[i] != 1) axes.push_back(static_cast<int64_t>(i));
  }
  if (axes.size() == 2 && x[static_cast<size_t>(axis)] == 1) axes.erase(axes.begin());
  return axes;
}

Result<std::vector<int64_t>> Start(const OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  if (!op.has_input(0)) return op.Fail("the input is missing");
  return GroupAxes(op);
}

Status ImportSoftmax(OnnxOp& op) {
  GE_ASSIGN(std::vector<int64_t> axes, Start(op));
  return op.EmitAs0("SoftmaxV2", {op.input(0)}, {{"axes", std::move(axes)}});
}
GE_ONNX_OP("Softmax", ImportSoftmax);

Status ImportLogSoftmax(OnnxOp& op) {
  GE_ASSIGN(std::vector<int64_t> axes, Start(op));
  return op.EmitAs0("LogSoftmaxV2", {op.input(0)}, {{"axes", std::move(axes)}});
}
GE_ONNX_OP("LogSoftmax", ImportLogSoftmax);

Status ImportHardmax(OnnxOp& op) {
  GE_ASSIGN(const std::vector<int64_t> axes, Start(op));
  if (axes.size() == 1) return op.EmitAs0("HardMax", {op.input(0)}, {{"axis", axes[0]}});
  Formula f(op);
  std::vector<Value> rows;
  for (int64_t axis = 0; axis < axes[0]; ++axis) rows.push_back(f.Dim(op.input(0), axis));
  const Value dims = f.Dims(op.input(0));
  rows.push_back(
      f("ReduceProd", {f.Slice(dims, 0, axes[0], INT64_MAX), f.Ints({0})}, {{"keep_dims", true}}));
  const Value matrix = f.ReshapeTo(op.input(0), rows);
  const Value hot = f("HardMax", {matrix}, {{"axis", axes[0]}});
  GE_TRY(f.status());
  return op.EmitAs0("Reshape", {hot, dims}, {{"allowzero", int64_t{1}}});
}
GE_ONNX_OP("Hardmax", ImportHardmax);

// (x - mean) / (deviation + 1e-9), each over the given axes.
Status ImportMeanVarianceNormalization(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  return op.EmitAs0("MVNV2", {op.input(0)}, {{"axes", op.Ints("axes", {0, 2, 3})}, {"eps", 1e-9f}});
}
GE_ONNX_OP("MeanVarianceNormalization", ImportMeanVarianceNormalization);

}  // namespace
}  // namespace ge::onnx
