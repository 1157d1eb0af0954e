// Attention: softmax(scale * Q @ transposed K + bias) @ V for every head.
//
//   Q [batch, q_heads, q_len, size]    K [batch, kv_heads, kv_len, size]    V [.., kv_len, v_size]
//   or all three with 3 dims, the heads side by side in the last one
//   attn_mask: bool, or numbers to add; broadcasts to [batch, q_heads, q_len, all_len], and its
//   last dim may be shorter, which excludes the keys behind it
//   past_key, past_value: what stands before K and V; all_len = past_len + kv_len
//   nonpad_kv_seqlen [batch]: how many keys count, when K and V are a whole cache
//
// A query at index i has the position i + offset among the keys: offset is past_len, or
// nonpad_kv_seqlen - q_len, or 0.  is_causal hides the keys behind the position; window sizes hide
// those too far before or behind it.  A query that sees no key gives zeros.
#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/attention.h"
#include "frontend/onnx/tensor.h"
#include "ops/op_impl.h"

namespace ge::onnx {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum Input : size_t { kQ, kK, kV, kMask, kPastKey, kPastValue, kNonpad };

Status CheckInputs(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 7));
  GE_TRY(AcceptDtypes(op, kFloats, kV));
  if (op.has_input(kPastKey) != op.has_input(kPastValue)) {
    return op.Fail("past_key and past_value are accepted together only");
  }
  if (op.has_input(kPastKey) && op.has_input(kNonpad)) {
    return op.Fail("past_key and nonpad_kv_seqlen exclude one another");
  }
  for (size_t i = 0; i < 3; ++i) {
    if (op.shape(i).unknown_rank()) return op.Unsupported("inputs of unknown rank");
    const size_t rank = op.shape(i).rank();
    if (rank == op.shape(0).rank() && (rank == 3 || rank == 4)) continue;
    return op.Fail("Q " + op.shape(kQ).ToString() + ", K " + op.shape(kK).ToString() + " and V " +
                   op.shape(kV).ToString() + " must all have 3 dims or all 4");
  }
  if (op.has_input(kMask) && op.shape(kMask).unknown_rank()) {
    return op.Unsupported("attn_mask of unknown rank");
  }
  if (op.has_input(kMask) && (op.shape(kMask).rank() < 1 || op.shape(kMask).rank() > 4)) {
    return op.Fail("attn_mask has shape " + op.shape(kMask).ToString() + "; 1 to 4 dims fit");
  }
  for (const char* window : {"left_window_size", "right_window_size"}) {
    if (op.Int(window, -1) < -1) return op.Fail(std::string(window) + " is less than -1");
  }
  return Status::Ok();
}

// [batch, length, heads * size] as [batch, heads, length, size].
Result<Value> SplitHeads(Formula& f, size_t input, const char* attribute) {
  OnnxOp& op = f.op();
  const Value x = op.input(input);
  if (op.shape(input).rank() == 4) return x;
  const int64_t heads = op.Int(attribute, 0), hidden = op.shape(input)[2];
  if (heads < 1) return op.Fail("inputs of 3 dims need attribute " + std::string(attribute));
  if (hidden != kUnknownDim && hidden % heads != 0) {
    return op.Fail("input " + std::to_string(input) + " of shape " + op.shape(input).ToString() +
                   " does not hold " + std::to_string(heads) + " heads");
  }
  const int64_t size = hidden == kUnknownDim ? -1 : hidden / heads;
  const Value split = f.Permute(f.Reshape(x, {0, 0, heads, size}), {0, 2, 1, 3});
  GE_TRY(f.status());
  return split;
}

// What is added to the scores, broadcasting with [batch, q_heads, q_len, all_len].
struct Bias {
  Formula& f;
  Value query, key;  // with heads split and the past in front
  DataType dtype;
  Value allowed = {};  // bool
  Value added = {};

  Value Zero() { return f.Scalar(0, dtype); }
  Value Hidden() { return f.Scalar(-kInfinity, dtype); }

  void Allow(Value condition) {
    allowed = allowed ? f("LogicalAnd", {allowed, condition}) : condition;
  }

  Status AddMask() {
    OnnxOp& op = f.op();
    if (!op.has_input(kMask)) return Status::Ok();
    Value mask = op.input(kMask);
    const bool is_bool = mask.desc().dtype == DataType::kBool;
    if (!is_bool && !IsFloat(mask.desc().dtype)) {
      return op.Unsupported("attn_mask of " + std::string(UserName(mask.desc().dtype)) +
                            "; bool and floats are built");
    }
    const int64_t given = mask.desc().shape[mask.desc().shape.rank() - 1];
    const int64_t wanted = key.desc().shape[2];
    if (given != kUnknownDim && wanted != kUnknownDim && given > wanted) {
      return op.Fail("attn_mask " + mask.desc().shape.ToString() + " reaches beyond the " +
                     std::to_string(wanted) + " keys");
    }
    if (given != kUnknownDim && given == wanted) {
      if (is_bool) {
        Allow(mask);
      } else {
        added = f.Cast(mask, dtype);
      }
      return Status::Ok();
    }
    mask = is_bool ? f.Select(mask, Zero(), Hidden()) : f.Cast(mask, dtype);
    added = f.PadEnd(mask, -1, f("Sub", {f.Dim(key, 2), f.Dim(mask, -1)}), Hidden());
    return Status::Ok();
  }

  void AddPositions() {
    OnnxOp& op = f.op();
    const int64_t left = op.Int("left_window_size", -1);
    const bool is_causal = op.Int("is_causal", 0) != 0;
    const int64_t right = is_causal ? 0 : op.Int("right_window_size", -1);
    Value length;  // [batch, 1, 1, 1]
    if (op.has_input(kNonpad)) length = f.Reshape(op.input(kNonpad), {-1, 1, 1, 1});
    if (left < 0 && right < 0 && !length) return;
    const Value columns = f.Iota(f.Dim(key, 2));
    if (length) Allow(f("Less", {columns, length}));
    if (left < 0 && right < 0) return;
    Value position = f.Unsqueeze(f.Iota(f.Dim(query, 2)), {1});  // [q_len, 1]
    if (length) position = f("Add", {position, f("Sub", {length, f.Dim(query, 2)})});
    if (op.has_input(kPastKey)) position = f("Add", {position, f.Dim(op.input(kPastKey), 2)});
    if (right >= 0) {
      Allow(f("LessEqual", {columns, f("Add", {position, f.Ints({right})})}));
    }
    if (left >= 0) {
      Allow(f("GreaterEqual", {columns, f("Sub", {position, f.Ints({left})})}));
    }
  }

  // Null when nothing is hidden or added.
  Value Sum() {
    if (!allowed) return added;
    return f.Select(allowed, added ? added : Zero(), Hidden());
  }
};

// Zeros in the rows of `weights` whose bias hides every key.
Value ClearHiddenRows(Formula& f, Value weights, Value bias) {
  if (!bias || !weights) return weights;
  const Value most = f.ReduceLast("ReduceMax", bias, true);
  const Value hidden = f("Equal", {most, f.Scalar(-kInfinity, bias.desc().dtype)});
  const std::optional<std::vector<int64_t>> known = ge::ConstInts(hidden);
  if (known && std::find(known->begin(), known->end(), 1) == known->end()) return weights;
  return f.Select(hidden, f.Scalar(0, weights.desc().dtype), weights);
}

Result<Value> Softmax(Formula& f, Value scores) {
  OnnxOp& op = f.op();
  GE_TRY(f.status());
  DataType precision = scores.desc().dtype;
  if (op.HasAttr("softmax_precision")) {
    precision = DataTypeOf(static_cast<int32_t>(op.Int("softmax_precision", 1)));
    if (!IsFloat(precision) || RowOf(precision).bits < 16) {
      return op.Fail("softmax_precision is " + std::to_string(op.Int("softmax_precision", 1)) +
                     "; 1, 10, 11 and 16 are accepted");
    }
  }
  return f("SoftmaxV2", {f.Cast(scores, precision)}, {{"axes", std::vector<int64_t>{-1}}});
}

Status ImportAttention(OnnxOp& op) {
  GE_TRY(CheckInputs(op));
  const int64_t mode = op.Int("qk_matmul_output_mode", 0);
  if (mode < 0 || mode > 3) {
    return op.Fail("qk_matmul_output_mode is " + std::to_string(mode) + "; 0 to 3 are accepted");
  }
  Formula f(op);
  GE_ASSIGN(const Value query, SplitHeads(f, kQ, "q_num_heads"));
  GE_ASSIGN(Value key, SplitHeads(f, kK, "kv_num_heads"));
  GE_ASSIGN(Value value, SplitHeads(f, kV, "kv_num_heads"));
  if (op.has_input(kPastKey)) {
    key = f.Concat({op.input(kPastKey), key}, 2);
    value = f.Concat({op.input(kPastValue), value}, 2);
  }
  GE_TRY(f.status());
  GE_TRY(CheckHeads(op, query.desc().shape, key.desc().shape));
  const DataType dtype = query.desc().dtype;

  // Half of the scale on each side keeps products of 16-bit numbers in range; wider ones have no
  // need of a second pass.
  const bool is_wide = RowOf(dtype).bits >= 32;
  const Value scale = HeadScale(f, query, ScaleOf(op), is_wide ? 1.0 : 0.5);
  const Value scaled_key = is_wide ? key : f("Mul", {key, scale});
  Value scores = ProductPerHead(f, f("Mul", {query, scale}), scaled_key, true);
  std::array<Value, 4> stages = {scores};
  if (const float cap = op.Float("softcap", 0.0f); cap > 0.0f) {
    const Value limit = f.Scalar(static_cast<double>(cap), dtype);
    scores = f("Mul", {f("Tanh", {f("RealDiv", {scores, limit})}), limit});
  }
  stages[1] = scores;
  Bias bias{f, query, key, dtype};
  GE_TRY(bias.AddMask());
  bias.AddPositions();
  const Value sum = bias.Sum();
  if (sum) scores = f("Add", {scores, sum});
  stages[2] = scores;
  GE_ASSIGN(Value weights, Softmax(f, scores));
  weights = f.Cast(ClearHiddenRows(f, weights, sum), dtype);
  stages[3] = weights;
  Value y = ProductPerHead(f, weights, f.Cast(value, dtype), false);
  if (op.shape(kQ).rank() == 3) {
    const int64_t v_size = value.desc().shape[3];
    const int64_t hidden = v_size == kUnknownDim ? -1 : op.Int("q_num_heads", 1) * v_size;
    y = f.Reshape(f.Permute(y, {0, 2, 1, 3}), {0, 0, hidden});
  }
  GE_TRY(f.status());
  op.SetOutput(0, y);
  op.SetOutput(1, key);
  op.SetOutput(2, value);
  op.SetOutput(3, stages[static_cast<size_t>(mode)]);
  return Status::Ok();
}
GE_ONNX_OP("Attention", ImportAttention);

}  // namespace
}  // namespace ge::onnx
