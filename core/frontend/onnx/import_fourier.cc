// DFT, STFT -> FFT and IFFT, which take complex numbers along the last axis.  ONNX has real and
// imaginary part as the last axis; Bitcast views them as one number.
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"
#include "ops/op_impl.h"

namespace ge::onnx {
namespace {

// float32 or float64, in which the transform of `dtype` is computed.
DataType PartType(DataType dtype) {
  return dtype == DataType::kDouble ? dtype : DataType::kFloat;
}

// [.., 1] as [.., 2] with imaginary parts of 0.
Value WithImaginary(Formula& f, Value x) {
  if (!x) return {};
  return f.PadEnd(x, -1, f.Ints({1}), f.Scalar(0, x.desc().dtype));
}

// [.., 2] as complex [..].
Value ToComplex(Formula& f, Value x) {
  if (!x) return {};
  const DataType part = PartType(x.desc().dtype);
  return f("Bitcast", {f.Cast(x, part)},
           {{"type", part == DataType::kDouble ? DataType::kComplex128 : DataType::kComplex64}});
}

// complex [..] as [.., 2] of `dtype`.
Value FromComplex(Formula& f, Value x, DataType dtype) {
  return f.Cast(f("Bitcast", {x}, {{"type", PartType(dtype)}}), dtype);
}

Value HalfAndOne(Formula& f, Value n) {
  return f("Add", {f("FloorDiv", {n, f.Ints({2})}), f.Ints({1})});
}

// Lists of axes that swap `axis` and the last but one of `rank`; `axis` may not be known.
Value SwapPerm(Formula& f, Value axis, int64_t rank) {
  const Value all = f.Iota(f.Ints({rank})), last = f.Ints({rank - 2});
  axis = f("FloorMod", {axis, f.Ints({rank})});
  return f.Select(f("Equal", {all, axis}), last, f.Select(f("Equal", {all, last}), axis, all));
}

// x [.., length, parts] cut or filled up with zeros to `wanted`, int64 [1].
Value Resized(Formula& f, Value x, Value wanted) {
  const Value longer = f("Maximum", {f("Sub", {wanted, f.Dim(x, -2)}), f.Ints({0})});
  if (!f.status().ok()) return {};
  x = f.PadEnd(x, -2, longer, f.Scalar(0, x.desc().dtype));
  return f.Slice(x, -2, f.Ints({0}), wanted);
}

// The n bins of a real signal from its first n / 2 + 1, [.., bins, 2]: bin n - i is the conjugate
// of bin i.
Value MirroredBins(Formula& f, Value x, Value n) {
  if (!x) return {};
  const DataType dtype = x.desc().dtype;
  const Value i = f.Iota(n), mirrored = f("Sub", {n, i});
  const Value all = f.Gather(x, f("Minimum", {i, mirrored}), -2);
  const Value behind = f.Unsqueeze(f("Greater", {i, mirrored}), {1});  // [n, 1]
  const Value sign = f.Select(behind, f.Scalar(-1, dtype), f.Scalar(1, dtype));
  const Value signs = f.Concat({f("OnesLike", {sign}), sign}, 1);
  return f("Mul", {all, signs});
}

Status ImportDft(OnnxOp& op) {
  const bool axis_is_input = op.opset() >= 20;
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, axis_is_input ? 3 : 2));
  GE_TRY(AcceptDtypes(op, kFloats, 0));
  const Shape& shape = op.shape(0);
  if (shape.unknown_rank()) return op.Unsupported("an input of unknown rank");
  const int64_t rank = static_cast<int64_t>(shape.rank());
  const int64_t parts = rank < 2 ? 0 : shape[shape.rank() - 1];
  if (parts == kUnknownDim) return op.Unsupported("an input whose last dim is unknown");
  if (parts != 1 && parts != 2) {
    return op.Fail("the input has shape " + shape.ToString() +
                   "; a last dim of 1 or 2, real and imaginary part, is accepted");
  }
  const bool inverse = op.Int("inverse", 0) != 0, onesided = op.Int("onesided", 0) != 0;
  const int64_t default_axis = axis_is_input ? -2 : 1;
  Formula f(op);
  Value axis = axis_is_input && op.has_input(2) ? f.Cast(op.input(2), DataType::kInt64)
                                                : f.Ints({op.Int("axis", default_axis)});
  if (const std::optional<std::vector<int64_t>> known = ge::ConstInts(axis)) {
    const bool fits = known->size() == 1 && NormalizeAxis(known->front(), shape.rank()) &&
                      known->front() != -1 && known->front() != rank - 1;
    if (!fits) return op.Fail("its axis does not lie inside " + shape.ToString());
  }
  const Value perm = SwapPerm(f, axis, rank);
  Value x = f("Transpose", {op.input(0), perm});
  Value n = f.Dim(x, -2);
  if (op.has_input(1)) {
    n = f.Reshape(f.Cast(op.input(1), DataType::kInt64), {1});
  } else if (inverse && onesided) {
    n = f("Mul", {f("Sub", {n, f.Ints({1})}), f.Ints({2})});
  }
  const bool mirrors = inverse && onesided;
  if (op.has_input(1)) x = Resized(f, x, mirrors ? HalfAndOne(f, n) : n);
  if (parts == 1) x = WithImaginary(f, x);
  if (mirrors) x = MirroredBins(f, x, n);
  x = ToComplex(f, x);
  Value y = f(inverse ? "IFFT" : "FFT", {x});
  y = FromComplex(f, y, op.desc(0).dtype);
  if (mirrors) y = f.Slice(y, -1, 0, 1);
  if (onesided && !inverse) y = f.Slice(y, -2, f.Ints({0}), HalfAndOne(f, n));
  y = f("Transpose", {y, perm});
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("DFT", ImportDft);

// signal [batch, length, 1 or 2]    frame_step    window [frame_length]    frame_length
// y [batch, frames, bins, 2]
Status ImportStft(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 4));
  GE_TRY(AcceptDtypes(op, kFloats, 0));
  const Shape& signal = op.shape(0);
  if (!signal.has_rank(3) || (signal[2] != 1 && signal[2] != 2)) {
    return op.Unsupported("a signal of shape " + signal.ToString() +
                          "; [batch, length, 1 or 2] is built");
  }
  if (!op.has_input(2) && !op.has_input(3)) {
    return op.Fail("neither window nor frame_length is given");
  }
  const bool onesided = op.Int("onesided", 1) != 0;
  Formula f(op);
  const Value step = f.Reshape(f.Cast(op.input(1), DataType::kInt64), {1});
  const Value length = op.has_input(3) ? f.Reshape(f.Cast(op.input(3), DataType::kInt64), {1})
                                       : f.Dim(op.input(2), 0);
  const Value room = f("Sub", {f.Dim(op.input(0), 1), length});
  const Value frames = f("Add", {f("FloorDiv", {room, step}), f.Ints({1})});
  const Value begin = f.Unsqueeze(f("Mul", {f.Iota(frames), step}), {1});
  Value x = f.Gather(op.input(0), f("Add", {begin, f.Iota(length)}), 1);
  if (op.has_input(2)) {
    x = f("Mul", {x, f.Unsqueeze(f.Cast(op.input(2), op.desc(0).dtype), {1})});
  }
  if (signal[2] == 1) x = WithImaginary(f, x);
  Value y = FromComplex(f, f("FFT", {ToComplex(f, x)}), op.desc(0).dtype);
  if (onesided) y = f.Slice(y, -2, f.Ints({0}), HalfAndOne(f, length));
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("STFT", ImportStft);

}  // namespace
}  // namespace ge::onnx
