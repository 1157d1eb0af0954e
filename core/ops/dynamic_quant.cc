// DynamicQuantV2: x in 256 levels that hold 0 and all of x.
//
//   x    y like x, of uint8    scale []    offset []
//   scale = (max - min) / 255 over x and 0, or 1 when x is all 0
//   offset = round(-min / scale)    y = saturate(round(x / scale) + offset), ties to even
//
// Beyond the prototype dst_type is uint8 and x may be float32; offset has that dtype, too, so that
// it is exact, and quant_mode is "pertensor".  Other forms are not built.
// Source: prototype DynamicQuantV2 in tables/ops.json; ONNX DynamicQuantizeLinear.
#include "kernels/quantize.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferDynamicQuant(InferContext& ctx) {
  const auto dtype = static_cast<DataType>(ctx.Int("dst_type"));
  if (dtype != DataType::kUint8 || ctx.Str("quant_mode") != "pertensor") {
    return ctx.Fail("dst_type is " + std::to_string(ctx.Int("dst_type")) + " and quant_mode \"" +
                    ctx.Str("quant_mode") + "\"; 4, uint8, and \"pertensor\" are accepted");
  }
  if (ctx.has_input(1) || ctx.has_input(2)) {
    return ctx.Fail("smooth_scales or group_index is there; x alone is accepted");
  }
  if (!IsFloat(ctx.dtype(0))) {
    return ctx.Fail("x is " + std::string(UserName(ctx.dtype(0))) +
                    "; floating-point types are accepted");
  }
  ctx.SetOutput(0, dtype, ctx.shape(0));
  ctx.SetOutput(1, DataType::kFloat, Shape{});
  ctx.SetOutput(2, dtype, Shape{});
  return Status::Ok();
}

constexpr OpImpl kDynamicQuant = {
    .type = "DynamicQuantV2", .infer = InferDynamicQuant, .run_host = kernels::DynamicQuant};
GE_OP(kDynamicQuant);

}  // namespace
}  // namespace ge
