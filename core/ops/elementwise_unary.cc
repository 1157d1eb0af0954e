// Operators of one operand that work element by element: y = f(x).
//
// y has the shape and dtype of x, but Log of integers is of float32.  LogicalNot takes bool, Invert
// integers, Neg, Abs, Sign, Round, Trunc, Square, Log, Tan, Asin and Acos any number; the others
// floats. Source: prototypes of the same names in tables/ops.json.
#include "kernels/arithmetic.h"
#include "kernels/unary.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr OpImpl kUnary[] = {
    PointwiseOp("Abs", SameAsInput, kernels::Abs),
    PointwiseOp("Acos", SameAsInput, kernels::Acos),
    PointwiseOp("Acosh", SameAsInput, kernels::Acosh, DtypeSet::kFloats),
    PointwiseOp("Asin", SameAsInput, kernels::Asin),
    PointwiseOp("Asinh", SameAsInput, kernels::Asinh, DtypeSet::kFloats),
    PointwiseOp("Atan", SameAsInput, kernels::Atan, DtypeSet::kFloats),
    PointwiseOp("Atanh", SameAsInput, kernels::Atanh, DtypeSet::kFloats),
    PointwiseOp("Ceil", SameAsInput, kernels::Ceil, DtypeSet::kFloats),
    PointwiseOp("Cos", SameAsInput, kernels::Cos, DtypeSet::kFloats),
    PointwiseOp("Cosh", SameAsInput, kernels::Cosh, DtypeSet::kFloats),
    PointwiseOp("Erf", SameAsInput, kernels::Erf, DtypeSet::kFloats),
    PointwiseOp("Erfc", SameAsInput, kernels::Erfc, DtypeSet::kFloats),
    PointwiseOp("Exp", SameAsInput, kernels::Exp, DtypeSet::kFloats),
    PointwiseOp("Expm1", SameAsInput, kernels::Expm1, DtypeSet::kFloats),
    PointwiseOp("Floor", SameAsInput, kernels::Floor, DtypeSet::kFloats),
    PointwiseOp("Invert", SameAsInput, kernels::Invert),
    PointwiseOp("Log", FloatOfInput, kernels::Log),
    PointwiseOp("Log1p", SameAsInput, kernels::Log1p, DtypeSet::kFloats),
    PointwiseOp("LogicalNot", SameAsInput, kernels::LogicalNot),
    PointwiseOp("Neg", SameAsInput, kernels::Neg),
    PointwiseOp("Reciprocal", SameAsInput, kernels::Reciprocal, DtypeSet::kFloats),
    PointwiseOp("Round", SameAsInput, kernels::Round),
    PointwiseOp("Rsqrt", SameAsInput, kernels::Rsqrt, DtypeSet::kFloats),
    PointwiseOp("Sign", SameAsInput, kernels::Sign),
    PointwiseOp("Sin", SameAsInput, kernels::Sin, DtypeSet::kFloats),
    PointwiseOp("Sinh", SameAsInput, kernels::Sinh, DtypeSet::kFloats),
    PointwiseOp("Sqrt", SameAsInput, kernels::Sqrt, DtypeSet::kFloats),
    PointwiseOp("Square", SameAsInput, kernels::Square),
    PointwiseOp("Tan", SameAsInput, kernels::Tan),
    PointwiseOp("Tanh", SameAsInput, kernels::Tanh, DtypeSet::kFloats),
    PointwiseOp("Trunc", SameAsInput, kernels::Trunc),
};
GE_OP(kUnary);

Status InferToBool(InferContext& ctx) {
  ctx.SetOutput(0, DataType::kBool, ctx.shape(0));
  return Status::Ok();
}

constexpr OpImpl kTests[] = {
    PointwiseOp("IsInf", InferToBool, kernels::IsInf, DtypeSet::kFloats),
    PointwiseOp("IsNan", InferToBool, kernels::IsNan, DtypeSet::kFloats),
};
GE_OP(kTests);

}  // namespace
}  // namespace ge
