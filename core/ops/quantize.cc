// Quantize: y = saturate(round(x / scales) + zero_points), ties to even.
//
//   x [d0, d1, ...]    scales: one element; [d of axis]; or, with the extra attribute block_size,
//   the shape of x with ceil(d / block_size) on axis    zero_points like scales, optional
//   y like x, of dtype
//
// dtype: torch.quint8, torch.qint8, torch.qint32, and beyond the prototype uint16, int16, int4,
// int2, uint2, float4_e2m1, float8_e4m3fn, float8_e5m2; of the float8 types a value out of range
// becomes NaN or infinity when the extra attribute saturate is there and false.
// Source: prototype Quantize in tables/ops.json; ONNX QuantizeLinear.
#include "kernels/quantize.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr std::pair<std::string_view, DataType> kDtypes[] = {
    {"torch.quint8", DataType::kUint8},
    {"torch.qint8", DataType::kInt8},
    {"torch.qint32", DataType::kInt32},
    {"uint16", DataType::kUint16},
    {"int16", DataType::kInt16},
    {"int4", DataType::kInt4},
    {"int2", DataType::kInt2},
    {"uint2", DataType::kUint2},
    {"float4_e2m1", DataType::kFloat4E2m1},
    {"float8_e4m3fn", DataType::kFloat8E4m3fn},
    {"float8_e5m2", DataType::kFloat8E5m2},
};

Result<DataType> ResultDtype(const InferContext& ctx) {
  const std::string name = ctx.Str("dtype");
  for (const auto& [row, dtype] : kDtypes) {
    if (row == name) return dtype;
  }
  return ctx.Fail("dtype is \"" + name + "\", which is not one to quantize to");
}

// `x` with what scales of more than one element tell.
Result<Shape> CheckScales(const InferContext& ctx, Shape x) {
  const Shape& scales = ctx.shape(1);
  if (x.unknown_rank() || scales.unknown_rank() || scales.elements() == 1) return x;
  GE_ASSIGN(const size_t axis, AxisOf(ctx, ctx.Int("axis"), x));
  const int64_t block = ctx.Int("block_size");
  if (block < 0) return ctx.Fail("block_size is " + std::to_string(block));
  Shape expected = {x[axis]};
  if (block > 0) {
    expected = x;
    if (x[axis] != kUnknownDim) {
      expected[axis] = x[axis] / block + (x[axis] % block != 0 ? 1 : 0);
    }
  }
  const std::optional<Shape> merged = MergeShapes(scales, expected);
  if (!merged) {
    return ctx.Fail("scales have shape " + scales.ToString() + "; " + expected.ToString() +
                    " is accepted for x " + x.ToString());
  }
  if (block == 0) x[axis] = (*merged)[0];
  return x;
}

Status InferQuantize(InferContext& ctx) {
  GE_ASSIGN(const DataType dtype, ResultDtype(ctx));
  GE_ASSIGN(Shape y, CheckScales(ctx, ctx.shape(0)));
  const auto is_single = [&](size_t i) { return ctx.shape(i).elements() == 1; };
  if (ctx.has_input(2) && !(is_single(1) && is_single(2)) &&
      !MergeShapes(ctx.shape(1), ctx.shape(2))) {
    return ctx.Fail("scales have shape " + ctx.shape(1).ToString() + " and zero_points " +
                    ctx.shape(2).ToString() + "; equal shapes are accepted");
  }
  ctx.SetOutput(0, dtype, std::move(y));
  return Status::Ok();
}

constexpr OpImpl kQuantize = {.type = "Quantize",
                              .infer = InferQuantize,
                              .run_host = kernels::Quantize,
                              .pointwise = Pointwise::kByNumbers,
                              .dtypes = DtypeSet::kAny};
GE_OP(kQuantize);

}  // namespace
}  // namespace ge
