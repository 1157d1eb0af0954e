// NegativeLogLikelihoodLoss: y = -weight[target] * x[.., target, ..].  SoftmaxCrossEntropyLoss: the
// same for x = log(softmax(scores)), which is its second output.
//
//   x [batch, classes, d...]    target [batch, d...], indices of classes    weight [classes], or 1
//
// Elements whose target is ignore_index count nothing.  reduction: none gives [batch, d...]; sum;
// mean is the sum over that of the weights.
#include <optional>
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

Status CheckInputs(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats, 0));
  const Shape& x = op.shape(0);
  const Shape& target = op.shape(1);
  if (!x.unknown_rank() && x.rank() < 2) {
    return op.Fail("input 0 has shape " + x.ToString() + "; 2 or more dims are accepted");
  }
  if (!x.unknown_rank() && !target.unknown_rank() && target.rank() + 1 != x.rank()) {
    return op.Fail("input 0 " + x.ToString() + " and the classes " + target.ToString() +
                   " do not fit");
  }
  return Status::Ok();
}

Result<Value> Loss(Formula& f, Value x) {
  OnnxOp& op = f.op();
  const std::string reduction = op.Str("reduction", "mean");
  if (reduction != "none" && reduction != "sum" && reduction != "mean") {
    return op.Fail("reduction is \"" + reduction + "\"; none, sum and mean are accepted");
  }
  GE_TRY(f.status());
  const DataType dtype = x.desc().dtype, index = op.desc(1).dtype;
  Value target = op.input(1);
  Value counts;  // bool; null when everything does
  if (op.HasAttr("ignore_index")) {
    // Not through a double: an index of 64 bits must stay exact.
    const int64_t ignored = op.Int("ignore_index", 0);
    counts = f("NotEqual", {f.Cast(target, DataType::kInt64), f.Ints({ignored})});
    target = f.Select(counts, target, f.Scalar(0, index));
  }
  const Value picked = f("GatherElements", {x, f.Unsqueeze(target, {1})}, {{"dim", int64_t{1}}});
  Value loss = f("Neg", {f.Squeeze(picked, {1})});
  const Value zero = f.Scalar(0, dtype);
  Value weight;
  if (op.has_input(2)) weight = f.Gather(f.Cast(op.input(2), dtype), target, 0);
  if (weight) loss = f("Mul", {loss, weight});
  if (counts) loss = f.Select(counts, loss, zero);
  if (reduction == "none") return loss;
  if (reduction == "sum") return f.ReduceAll("ReduceSum", loss);
  if (!weight && !counts) return f.ReduceAll("ReduceMean", loss);
  if (counts) weight = f.Select(counts, weight ? weight : f.Scalar(1, dtype), zero);
  return f("RealDiv", {f.ReduceAll("ReduceSum", loss), f.ReduceAll("ReduceSum", weight)});
}

Status ImportNegativeLogLikelihoodLoss(OnnxOp& op) {
  GE_TRY(CheckInputs(op));
  Formula f(op);
  GE_ASSIGN(const Value loss, Loss(f, op.input(0)));
  GE_TRY(f.status());
  op.SetOutput(0, loss);
  return Status::Ok();
}

Status ImportSoftmaxCrossEntropyLoss(OnnxOp& op) {
  GE_TRY(CheckInputs(op));
  Formula f(op);
  const Value log_prob = f("LogSoftmaxV2", {op.input(0)}, {{"axes", std::vector<int64_t>{1}}});
  GE_ASSIGN(const Value loss, Loss(f, log_prob));
  GE_TRY(f.status());
  op.SetOutput(0, loss);
  op.SetOutput(1, log_prob);
  return Status::Ok();
}

GE_ONNX_OP("NegativeLogLikelihoodLoss", ImportNegativeLogLikelihoodLoss);
GE_ONNX_OP("SoftmaxCrossEntropyLoss", ImportSoftmaxCrossEntropyLoss);

}  // namespace
}  // namespace ge::onnx
