// RotaryEmbedding: pairs (a, b) of each head turn by the angle of their position:
// (a * cos - b * sin, a * sin + b * cos).
//
//   X [batch, heads, length, size] or [batch, length, heads * size]
//   cos_cache, sin_cache [positions, n / 2] with position_ids [batch, length], else
//   [batch, length, n / 2]
//
// The first n = rotary_embedding_dim elements of a head turn (0: all).  A pair is neighbours when
// interleaved is set, else elements i and i + n / 2.
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

// X as [batch, length, heads, size], and the size of a head.
struct Heads {
  Value x;
  int64_t size = kUnknownDim;
};

Result<Heads> SplitHeads(Formula& f) {
  OnnxOp& op = f.op();
  const Shape& x = op.shape(0);
  if (x.unknown_rank()) return op.Unsupported("an input of unknown rank");
  if (x.rank() == 4) return Heads{f.Permute(op.input(0), {0, 2, 1, 3}), x[3]};
  const int64_t heads = op.Int("num_heads", 0);
  if (x.rank() != 3) return op.Fail("X has shape " + x.ToString() + "; 3 and 4 dims are accepted");
  if (heads < 1) return op.Fail("X of 3 dims needs attribute num_heads");
  if (x[2] == kUnknownDim) return Heads{f.Reshape(op.input(0), {0, 0, heads, -1}), kUnknownDim};
  if (x[2] % heads != 0) {
    return op.Fail("X " + x.ToString() + " does not hold " + std::to_string(heads) + " heads");
  }
  return Heads{f.Reshape(op.input(0), {0, 0, heads, x[2] / heads}), x[2] / heads};
}

// [batch, length, 1, n / 2].
Value Angles(Formula& f, size_t cache) {
  OnnxOp& op = f.op();
  const Value values =
      op.has_input(3) ? f.Gather(op.input(cache), op.input(3), 0) : op.input(cache);
  return f.Unsqueeze(values, {2});
}

Status ImportRotaryEmbedding(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 3));
  GE_TRY(AcceptInputs(op, 4));
  GE_TRY(AcceptDtypes(op, kFloats, 2));
  Formula f(op);
  GE_ASSIGN(const Heads heads, SplitHeads(f));
  int64_t turned = op.Int("rotary_embedding_dim", 0);
  if (turned == 0) turned = heads.size;
  if (turned == kUnknownDim) return op.Unsupported("heads of unknown size");
  if (turned < 0 || turned % 2 != 0 || (heads.size != kUnknownDim && turned > heads.size)) {
    return op.Fail(std::to_string(turned) + " elements of a head of " + std::to_string(heads.size) +
                   " cannot turn in pairs");
  }
  const bool interleaved = op.Int("interleaved", 0) != 0;
  const int64_t half = turned / 2;
  const Value cos = Angles(f, 1), sin = Angles(f, 2);
  const Value a = interleaved ? f.Slice(heads.x, 3, 0, turned, 2) : f.Slice(heads.x, 3, 0, half);
  const Value b =
      interleaved ? f.Slice(heads.x, 3, 1, turned, 2) : f.Slice(heads.x, 3, half, turned);
  Value real = f("Sub", {f("Mul", {cos, a}), f("Mul", {sin, b})});
  Value imaginary = f("Add", {f("Mul", {sin, a}), f("Mul", {cos, b})});
  Value y;
  if (interleaved) {
    y = f.Concat({f.Unsqueeze(real, {4}), f.Unsqueeze(imaginary, {4})}, 4);
    y = f.Reshape(y, {0, 0, 0, turned});
  } else {
    y = f.Concat({real, imaginary}, 3);
  }
  if (turned != heads.size) y = f.Concat({y, f.Slice(heads.x, 3, turned, INT64_MAX)}, 3);
  y = op.shape(0).rank() == 4 ? f.Permute(y, {0, 2, 1, 3}) : f.Reshape(y, {0, 0, op.shape(0)[2]});
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("RotaryEmbedding", ImportRotaryEmbedding);

}  // namespace
}  // namespace ge::onnx
