// HannWindow, HammingWindow, BlackmanWindow: sums of cosines over one period.  MelWeightMatrix:
// triangles that turn a spectrum into mel bins.  All of the size that an input gives.
#include <numbers>
#include <vector>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

constexpr DataType kWide = DataType::kDouble;

Result<DataType> OutputType(const OnnxOp& op) {
  const int64_t number = op.Int("output_datatype", 1);
  const DataType dtype =
      number > 0 && number < 256 ? DataTypeOf(static_cast<int32_t>(number)) : DataType::kUndefined;
  if ((IsFloat(dtype) && RowOf(dtype).bits >= 16) || IsInteger(dtype)) return dtype;
  return op.Unsupported("output_datatype " + std::to_string(number) +
                        "; floats of 16 bits or more and integers are built");
}

// sum of factors[i] * cos(2 pi i n / period) for n = 0, 1, ... size - 1.
Status Window(OnnxOp& op, const std::vector<double>& factors) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kIntegers));
  GE_ASSIGN(const DataType dtype, OutputType(op));
  Formula f(op);
  const Value size = f.Cast(op.input(0), DataType::kInt64);
  Value period = f.Cast(size, kWide);
  if (op.Int("periodic", 1) == 0) period = f("Sub", {period, f.Scalar(1, kWide)});
  const Value n = f.Cast(f.Iota(size), kWide);
  Value y = f.Scalar(factors[0], kWide);
  for (size_t i = 1; i < factors.size(); ++i) {
    const Value turns = f.Scalar(2 * std::numbers::pi * static_cast<double>(i), kWide);
    const Value angle = f("RealDiv", {f("Mul", {n, turns}), period});
    y = f("Add", {y, f("Mul", {f("Cos", {angle}), f.Scalar(factors[i], kWide)})});
  }
  y = f.Cast(y, dtype);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}

Status ImportHann(OnnxOp& op) {
  return Window(op, {0.5, -0.5});
}
GE_ONNX_OP("HannWindow", ImportHann);

Status ImportHamming(OnnxOp& op) {
  return Window(op, {25.0 / 46, -21.0 / 46});
}
GE_ONNX_OP("HammingWindow", ImportHamming);

Status ImportBlackman(OnnxOp& op) {
  return Window(op, {0.42, -0.5, 0.08});
}
GE_ONNX_OP("BlackmanWindow", ImportBlackman);

// Mel of a frequency: 2595 * log10(1 + hertz / 700).
constexpr double kMelScale = 2595, kMelHertz = 700;

Value Mel(Formula& f, Value hertz) {
  const Value ratio = f("RealDiv", {f.Cast(hertz, kWide), f.Scalar(kMelHertz, kWide)});
  const Value log = f("Log", {f("Add", {ratio, f.Scalar(1, kWide)})});
  return f("Mul", {log, f.Scalar(kMelScale / std::numbers::ln10, kWide)});
}

// Bins of the spectrum at which the triangles start, peak and end: int64 [num_mel_bins + 2].
Value Corners(Formula& f) {
  OnnxOp& op = f.op();
  const Value count = f("Add", {f.Cast(op.input(0), DataType::kInt64), f.Ints({2})});
  const Value low = Mel(f, op.input(3)), high = Mel(f, op.input(4));
  const Value step = f("RealDiv", {f("Sub", {high, low}), f.Cast(count, kWide)});
  const Value mel = f("Add", {f("Mul", {f.Cast(f.Iota(count), kWide), step}), low});
  Value hertz = f("Exp", {f("Mul", {mel, f.Scalar(std::numbers::ln10 / kMelScale, kWide)})});
  hertz = f("Mul", {f("Sub", {hertz, f.Scalar(1, kWide)}), f.Scalar(kMelHertz, kWide)});
  const Value length = f("Add", {f.Cast(op.input(1), kWide), f.Scalar(1, kWide)});
  const Value bin = f("RealDiv", {f("Mul", {length, hertz}), f.Cast(op.input(2), kWide)});
  return f.Cast(f("Floor", {bin}), DataType::kInt64);
}

// [dft_length / 2 + 1, num_mel_bins]: each column rises from its start to 1 at its peak and falls
// to its end.
Status ImportMelWeightMatrix(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 5));
  GE_TRY(AcceptInputs(op, 5));
  GE_TRY(AcceptDtypes(op, kIntegers, 2));
  GE_ASSIGN(const DataType dtype, OutputType(op));
  Formula f(op);
  const Value length = f.Cast(op.input(1), DataType::kInt64);
  const Value rows = f("Add", {f("FloorDiv", {length, f.Ints({2})}), f.Ints({1})});
  const Value bin = f.Unsqueeze(f.Iota(rows), {1});
  const Value corners = Corners(f);
  const Value start = f.Slice(corners, 0, 0, -2), peak = f.Slice(corners, 0, 1, -1),
              end = f.Slice(corners, 0, 2, INT64_MAX);
  const auto ratio = [&](Value part, Value whole) {
    const Value divisor = f("Maximum", {whole, f.Ints({1})});
    return f("RealDiv", {f.Cast(part, kWide), f.Cast(divisor, kWide)});
  };
  const Value one = f.Scalar(1, kWide), zero = f.Scalar(0, kWide);
  const Value width = f("Sub", {peak, start});
  const Value steep = f("Equal", {width, f.Ints({0})});
  const Value rise = f.Select(steep, one, ratio(f("Sub", {bin, start}), width));
  const Value rises =
      f("LogicalAnd", {f("GreaterEqual", {bin, start}), f("LessEqual", {bin, peak})});
  const Value fall = ratio(f("Sub", {end, bin}), f("Sub", {end, peak}));
  const Value falls = f("LogicalAnd", {f("GreaterEqual", {bin, peak}), f("Less", {bin, end})});
  const Value y = f.Cast(f.Select(falls, fall, f.Select(rises, rise, zero)), dtype);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("MelWeightMatrix", ImportMelWeightMatrix);

}  // namespace
}  // namespace ge::onnx
