// TensorScatter: a copy of a cache in which new entries stand from write_indices on.
// CausalConvWithState: a depthwise convolution that continues what went before.
#include <algorithm>
#include <numeric>
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

// past_cache [batch, .., max_length, ..]    update [batch, .., length, ..]    write_indices [batch]
//
// With the sequence axis moved behind the batch this is TensorScatterUpdate at (batch, position).
Status ImportTensorScatter(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  const Shape& cache = op.shape(0);
  if (cache.unknown_rank()) return op.Unsupported("past_cache of unknown rank");
  GE_ASSIGN(const int64_t axis, AcceptAxis(op, op.Int("axis", -2)));
  const std::string mode = op.Str("mode", "linear");
  if (mode != "linear" && mode != "circular") {
    return op.Fail("mode is \"" + mode + "\"; linear and circular are accepted");
  }
  if (axis == 0) return op.Fail("axis 0 is the batch; another axis is accepted");
  std::vector<int64_t> perm(cache.rank());
  std::iota(perm.begin(), perm.end(), 0);
  std::rotate(perm.begin() + 1, perm.begin() + axis, perm.begin() + axis + 1);
  std::vector<int64_t> back(perm.size());
  for (size_t i = 0; i < perm.size(); ++i)
    back[static_cast<size_t>(perm[i])] = static_cast<int64_t>(i);

  Formula f(op);
  const Value batch = f.Dim(op.input(1), 0), length = f.Dim(op.input(1), axis);
  Value position = f.Unsqueeze(f.Iota(length), {0});  // [1, length]
  if (op.has_input(2)) {
    position = f("Add", {position, f.Unsqueeze(f.Cast(op.input(2), DataType::kInt64), {1})});
  }
  if (mode == "circular") position = f("FloorMod", {position, f.Dim(op.input(0), axis)});
  const Value entries = f.Concat({batch, length}, 0);
  const Value sample = f.Expand(f.Unsqueeze(f.Iota(batch), {1}), entries);
  const Value indices =
      f.Concat({f.Unsqueeze(sample, {2}), f.Unsqueeze(f.Expand(position, entries), {2})}, 2);
  Value y = f("TensorScatterUpdate",
              {f.Permute(op.input(0), perm), indices, f.Permute(op.input(1), perm)});
  y = f.Permute(y, back);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("TensorScatter", ImportTensorScatter);

// x [batch, channels, length]    weight [channels, 1, k]    bias [channels]
// past_state [batch, channels, k - 1], what stands before x; zeros when left out
// y as x, swish(y) with an activation; present_state: the last k - 1 of past and x
Status ImportCausalConvWithState(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 4));
  GE_TRY(AcceptDtypes(op, kFloats));
  const Shape& x = op.shape(0);
  const Shape& weight = op.shape(1);
  const std::string activation = op.Str("activation", "none");
  if (activation != "none" && activation != "silu" && activation != "swish") {
    return op.Fail("activation is \"" + activation + "\"; none, silu and swish are accepted");
  }
  if (!weight.has_rank(3) || weight[0] == kUnknownDim || weight[2] == kUnknownDim) {
    return op.Unsupported("a weight of shape " + weight.ToString() + "; 3 known dims are built");
  }
  if (weight[2] < 1 || weight[1] != 1) {
    return op.Fail("the weight has shape " + weight.ToString() + "; [channels, 1, k] is accepted");
  }
  if (!x.unknown_rank() && x.rank() != 3) {
    return op.Fail("the input has shape " + x.ToString() + "; 3 dims are accepted");
  }
  const int64_t channels = weight[0], kernel = weight[2];
  Formula f(op);
  Value past = op.input(3);
  if (!past) {
    const Value dims = f.Concat({f.Dim(op.input(0), 0), f.Ints({channels, kernel - 1})}, 0);
    past = f("Fill", {dims, f.Scalar(0, op.desc(0).dtype)});
  }
  const Value all = f.Concat({past, op.input(0)}, 2);
  // A convolution of images one row high.
  Value y = f("Conv2D", {f.Unsqueeze(all, {2}), f.Unsqueeze(op.input(1), {2}), op.input(2)},
              {{"strides", std::vector<int64_t>{1, 1, 1, 1}},
               {"pads", std::vector<int64_t>{0, 0, 0, 0}},
               {"dilations", std::vector<int64_t>{1, 1, 1, 1}},
               {"groups", channels},
               {"data_format", std::string("NCHW")}});
  y = f.Squeeze(y, {2});
  if (activation != "none") y = f("Swish", {y}, {{"scale", 1.0f}});
  const Value length = f.Dim(all, 2);
  const Value state = f.Slice(all, 2, f("Sub", {length, f.Ints({kernel - 1})}), length);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  op.SetOutput(1, state);
  return Status::Ok();
}
GE_ONNX_OP("CausalConvWithState", ImportCausalConvWithState);

}  // namespace
}  // namespace ge::onnx
