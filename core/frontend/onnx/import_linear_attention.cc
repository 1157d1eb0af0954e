// LinearAttention: each step updates a state S [batch, kv_heads, key size, value size], from which
// the query reads, y = scale * q @ S.  Steps are unrolled, so their number has to be known.
//
//   query, key, value [batch, steps, heads * size]    past_state as S, zeros when left out
//   decay [batch, steps, kv_heads * key size or kv_heads]    beta [batch, steps, kv_heads or 1]
//
//   linear       S = S + k^T v
//   gated        S = exp(decay) * S + k^T v
//   delta        S = S + k^T (beta * (v - k S))
//   gated_delta  S = exp(decay) * S first, then as delta
//
// Everything is computed in float32, in float64 for float64.
#include <cmath>
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/attention.h"

namespace ge::onnx {
namespace {

// More steps would make a graph that takes long to plan.
constexpr int64_t kMaxSteps = 1024;

enum Input : size_t { kQuery, kKey, kValue, kPast, kDecay, kBeta };

struct Sizes {
  int64_t steps, q_heads, kv_heads, key, value;
  bool gated, delta;
  DataType wide;
};

Result<Sizes> ReadSizes(OnnxOp& op) {
  Sizes sizes{};
  const std::string rule = op.Str("update_rule", "gated_delta");
  sizes.gated = rule == "gated" || rule == "gated_delta";
  sizes.delta = rule == "delta" || rule == "gated_delta";
  if (!sizes.gated && !sizes.delta && rule != "linear") {
    return op.Fail("update_rule is \"" + rule +
                   "\"; linear, gated, delta and gated_delta are accepted");
  }
  if (sizes.gated && !op.has_input(kDecay)) return op.Fail("input decay is missing for " + rule);
  if (sizes.delta && !op.has_input(kBeta)) return op.Fail("input beta is missing for " + rule);
  for (size_t i : {kQuery, kKey, kValue, kDecay, kBeta}) {
    if (!op.has_input(i)) continue;
    const Shape& shape = op.shape(i);
    if (shape.has_rank(3) && shape[1] != kUnknownDim && shape[2] != kUnknownDim) continue;
    return op.Unsupported("input " + std::to_string(i) + " of shape " + shape.ToString() +
                          "; 3 dims, the last two known, are built");
  }
  sizes.steps = op.shape(kQuery)[1];
  sizes.q_heads = op.Int("q_num_heads", 0);
  sizes.kv_heads = op.Int("kv_num_heads", 0);
  if (sizes.kv_heads < 1 || sizes.q_heads < 1 || sizes.q_heads % sizes.kv_heads != 0) {
    return op.Fail("q_num_heads " + std::to_string(sizes.q_heads) + " is no multiple of " +
                   "kv_num_heads " + std::to_string(sizes.kv_heads));
  }
  sizes.key = op.shape(kQuery)[2] / sizes.q_heads;
  sizes.value = op.shape(kValue)[2] / sizes.kv_heads;
  if (sizes.key * sizes.q_heads != op.shape(kQuery)[2] ||
      sizes.key * sizes.kv_heads != op.shape(kKey)[2] ||
      sizes.value * sizes.kv_heads != op.shape(kValue)[2] || sizes.key == 0) {
    return op.Fail("query " + op.shape(kQuery).ToString() + ", key " + op.shape(kKey).ToString() +
                   " and value " + op.shape(kValue).ToString() + " do not hold " +
                   std::to_string(sizes.q_heads) + " and " + std::to_string(sizes.kv_heads) +
                   " heads");
  }
  if (sizes.steps < 1 || sizes.steps > kMaxSteps) {
    return op.Unsupported(std::to_string(sizes.steps) + " steps; 1 to " +
                          std::to_string(kMaxSteps) + " are built");
  }
  sizes.wide = op.desc(kQuery).dtype == DataType::kDouble ? DataType::kDouble : DataType::kFloat;
  return sizes;
}

// Input [batch, steps, heads * size] as [batch, heads, steps, size], in the wide dtype.
Value PerHead(Formula& f, const Sizes& sizes, size_t input, int64_t heads) {
  const Value x = f.Cast(f.op().input(input), sizes.wide);
  return f.Permute(f.Reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}

class Steps {
 public:
  Steps(Formula& f, const Sizes& sizes, float scale)
      : f_(f),
        sizes_(sizes),
        query_(f("Mul", {PerHead(f, sizes, kQuery, sizes.q_heads),
                         f.Scalar(static_cast<double>(scale), sizes.wide)})),
        key_(PerHead(f, sizes, kKey, sizes.kv_heads)),
        value_(PerHead(f, sizes, kValue, sizes.kv_heads)) {
    if (sizes.gated) {  // [batch, heads, key size or 1, steps]
      factor_ = f("Exp", {f.Permute(PerHead(f, sizes, kDecay, sizes.kv_heads), {0, 1, 3, 2})});
    }
    if (sizes.delta) {
      const int64_t heads = f.op().shape(kBeta)[2] == 1 ? 1 : sizes.kv_heads;
      beta_ = PerHead(f, sizes, kBeta, heads);
    }
  }

  // The result of step t, [batch, q_heads, 1, value size]; `state` becomes the next one.
  Value Next(int64_t t, Value& state) {
    const Value key = f_.Slice(key_, 2, t, t + 1);
    Value value = f_.Slice(value_, 2, t, t + 1);
    if (factor_) state = f_("Mul", {state, f_.Slice(factor_, 3, t, t + 1)});
    if (beta_) {
      const Value stored = Product(key, state, false);
      value = f_("Mul", {f_("Sub", {value, stored}), f_.Slice(beta_, 2, t, t + 1)});
    }
    state = f_("Add", {state, Product(key, value, true)});
    return ProductPerHead(f_, f_.Slice(query_, 2, t, t + 1), state, false);
  }

 private:
  Value Product(Value left, Value right, bool transpose_left) {
    return f_("BatchMatMulV2", {left, right}, {{"adj_x1", transpose_left}, {"adj_x2", false}});
  }

  Formula& f_;
  const Sizes& sizes_;
  Value query_, key_, value_, factor_, beta_;
};

Status ImportLinearAttention(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 6));
  GE_TRY(AcceptDtypes(op, kFloats));
  GE_ASSIGN(const Sizes sizes, ReadSizes(op));
  float scale = op.Float("scale", 0.0f);
  if (scale == 0.0f) scale = 1.0f / std::sqrt(static_cast<float>(sizes.key));
  Formula f(op);
  const DataType dtype = op.desc(kQuery).dtype;
  Value state = f.Cast(op.input(kPast), sizes.wide);
  if (!state) {
    const Value dims =
        f.Concat({f.Dim(op.input(kQuery), 0), f.Ints({sizes.kv_heads, sizes.key, sizes.value})}, 0);
    state = f("Fill", {dims, f.Scalar(0, sizes.wide)});
  }
  Steps steps(f, sizes, scale);
  std::vector<Value> results;
  for (int64_t t = 0; t < sizes.steps && f.status().ok(); ++t) {
    results.push_back(steps.Next(t, state));
  }
  GE_TRY(f.status());
  Value y = results.size() == 1 ? results[0] : f.Concat(std::move(results), 2);
  y = f.Reshape(f.Permute(y, {0, 2, 1, 3}), {0, 0, sizes.q_heads * sizes.value});
  y = f.Cast(y, dtype);
  state = f.Cast(state, op.has_input(kPast) ? op.desc(kPast).dtype : dtype);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  op.SetOutput(1, state);
  return Status::Ok();
}
GE_ONNX_OP("LinearAttention", ImportLinearAttention);

}  // namespace
}  // namespace ge::onnx
