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
    PointwiseOp("Add", InferSameDtype, kernels::Add),
    PointwiseOp("Atan2", InferSameDtype, kernels::Atan2, DtypeSet::kFloats),
    PointwiseOp("BitwiseAnd", InferSameDtype, kernels::BitwiseAnd),
    PointwiseOp("BitwiseOr", InferSameDtype, kernels::BitwiseOr),
    PointwiseOp("BitwiseXor", InferSameDtype, kernels::BitwiseXor),
    PointwiseOp("Div", InferSameDtype, kernels::Div),
    PointwiseOp("Equal", InferBool, kernels::Equal),
    PointwiseOp("FloorDiv", InferSameDtype, kernels::FloorDiv),
    PointwiseOp("FloorMod", InferSameDtype, kernels::FloorMod),
    PointwiseOp("Greater", InferBool, kernels::Greater),
    PointwiseOp("GreaterEqual", InferBool, kernels::GreaterEqual),
    PointwiseOp("LeftShift", InferSameDtype, kernels::LeftShift),
    PointwiseOp("Less", InferBool, kernels::Less),
    PointwiseOp("LessEqual", InferBool, kernels::LessEqual),
    PointwiseOp("LogicalAnd", InferBool, kernels::LogicalAnd),
    PointwiseOp("LogicalOr", InferBool, kernels::LogicalOr),
    PointwiseOp("Maximum", InferSameDtype, kernels::Maximum),
    PointwiseOp("Minimum", InferSameDtype, kernels::Minimum),
    PointwiseOp("Mod", InferSameDtype, kernels::Mod),
    PointwiseOp("Mul", InferSameDtype, kernels::Mul),
    PointwiseOp("NotEqual", InferBool, kernels::NotEqual),
    PointwiseOp("RealDiv", InferSameDtype, kernels::Div),
    PointwiseOp("RightShift", InferSameDtype, kernels::RightShift),
    PointwiseOp("Sub", InferSameDtype, kernels::Sub),
};
GE_OP(kBinary);

// Pow: the result has the dtype of the base x1, whatever the exponent's.
Status InferPow(InferContext& ctx) {
  return BroadcastInputs(ctx, ctx.dtype(0));
}

constexpr OpImpl kPow = PointwiseOp("Pow", InferPow, kernels::Pow);
GE_OP(kPow);

// ClipByValue: x held between clip_value_min and clip_value_max, which broadcast to x.
constexpr OpImpl kClipByValue = PointwiseOp("ClipByValue", InferSameDtype, kernels::ClipByValue);
GE_OP(kClipByValue);

}  // namespace
}  // namespace ge
