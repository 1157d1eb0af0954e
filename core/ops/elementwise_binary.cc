// Operators of two operands that broadcast: y = f(x1, x2).
//
// Both operands have one dtype.  Arithmetic and bit operators keep it, comparisons and logic give
// bool.  Div truncates integers toward zero; FloorMod has the sign of x2, Mod that of x1.
// Source: prototypes of the same names in tables/ops.json.
#include "kernels/arithmetic.h"
#include "kernels/compare.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferSameDtype(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  return BroadcastInputs(ctx, ctx.dtype(0));
}

Status InferBool(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  return BroadcastInputs(ctx, DataType::kBool);
}

constexpr OpImpl kBinary[] = {
    {.type = "Add", .infer = InferSameDtype, .run_host = kernels::Add},
    {.type = "BitwiseAnd", .infer = InferSameDtype, .run_host = kernels::BitwiseAnd},
    {.type = "BitwiseOr", .infer = InferSameDtype, .run_host = kernels::BitwiseOr},
    {.type = "BitwiseXor", .infer = InferSameDtype, .run_host = kernels::BitwiseXor},
    {.type = "Div", .infer = InferSameDtype, .run_host = kernels::Div},
    {.type = "Equal", .infer = InferBool, .run_host = kernels::Equal},
    {.type = "FloorDiv", .infer = InferSameDtype, .run_host = kernels::FloorDiv},
    {.type = "FloorMod", .infer = InferSameDtype, .run_host = kernels::FloorMod},
    {.type = "Greater", .infer = InferBool, .run_host = kernels::Greater},
    {.type = "GreaterEqual", .infer = InferBool, .run_host = kernels::GreaterEqual},
    {.type = "LeftShift", .infer = InferSameDtype, .run_host = kernels::LeftShift},
    {.type = "Less", .infer = InferBool, .run_host = kernels::Less},
    {.type = "LessEqual", .infer = InferBool, .run_host = kernels::LessEqual},
    {.type = "LogicalAnd", .infer = InferBool, .run_host = kernels::LogicalAnd},
    {.type = "LogicalOr", .infer = InferBool, .run_host = kernels::LogicalOr},
    {.type = "Maximum", .infer = InferSameDtype, .run_host = kernels::Maximum},
    {.type = "Minimum", .infer = InferSameDtype, .run_host = kernels::Minimum},
    {.type = "Mod", .infer = InferSameDtype, .run_host = kernels::Mod},
    {.type = "Mul", .infer = InferSameDtype, .run_host = kernels::Mul},
    {.type = "NotEqual", .infer = InferBool, .run_host = kernels::NotEqual},
    {.type = "RealDiv", .infer = InferSameDtype, .run_host = kernels::Div},
    {.type = "RightShift", .infer = InferSameDtype, .run_host = kernels::RightShift},
    {.type = "Sub", .infer = InferSameDtype, .run_host = kernels::Sub},
};
GE_OP(kBinary);

// Pow: the result has the dtype of the base x1, whatever the exponent's.
Status InferPow(InferContext& ctx) {
  return BroadcastInputs(ctx, ctx.dtype(0));
}

constexpr OpImpl kPow = {.type = "Pow", .infer = InferPow, .run_host = kernels::Pow};
GE_OP(kPow);

// ClipByValue: x held between clip_value_min and clip_value_max, which broadcast to x.
constexpr OpImpl kClipByValue = {
    .type = "ClipByValue", .infer = InferSameDtype, .run_host = kernels::ClipByValue};
GE_OP(kClipByValue);

}  // namespace
}  // namespace ge
