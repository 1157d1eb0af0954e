// Operators of one operand that work element by element: y = f(x).
//
// y has the shape and dtype of x, but Log of integers is of float32.  LogicalNot takes bool, Invert
// integers, Neg, Abs, Sign, Round, Square, Log, Tan, Asin and Acos any number; the others floats.
// Source: prototypes of the same names in tables/ops.json.
#include "kernels/arithmetic.h"
#include "kernels/unary.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr OpImpl kUnary[] = {
    PointwiseOp("Abs", SameAsInput, kernels::Abs),
    PointwiseOp("Acos", SameAsInput, kernels::Acos),
    PointwiseOp("Acosh", SameAsInput, kernels::Acosh),
    PointwiseOp("Asin", SameAsInput, kernels::Asin),
    PointwiseOp("Asinh", SameAsInput, kernels::Asinh),
    PointwiseOp("Atan", SameAsInput, kernels::Atan),
    PointwiseOp("Atanh", SameAsInput, kernels::Atanh),
    PointwiseOp("Ceil", SameAsInput, kernels::Ceil),
    PointwiseOp("Cos", SameAsInput, kernels::Cos),
    PointwiseOp("Cosh", SameAsInput, kernels::Cosh),
    PointwiseOp("Erf", SameAsInput, kernels::Erf),
    PointwiseOp("Exp", SameAsInput, kernels::Exp),
    PointwiseOp("Floor", SameAsInput, kernels::Floor),
    PointwiseOp("Invert", SameAsInput, kernels::Invert),
    PointwiseOp("Log", FloatOfInput, kernels::Log),
    PointwiseOp("LogicalNot", SameAsInput, kernels::LogicalNot),
    PointwiseOp("Neg", SameAsInput, kernels::Neg),
    PointwiseOp("Reciprocal", SameAsInput, kernels::Reciprocal),
    PointwiseOp("Round", SameAsInput, kernels::Round),
    PointwiseOp("Rsqrt", SameAsInput, kernels::Rsqrt),
    PointwiseOp("Sign", SameAsInput, kernels::Sign),
    PointwiseOp("Sin", SameAsInput, kernels::Sin),
    PointwiseOp("Sinh", SameAsInput, kernels::Sinh),
    PointwiseOp("Sqrt", SameAsInput, kernels::Sqrt),
    PointwiseOp("Square", SameAsInput, kernels::Square),
    PointwiseOp("Tan", SameAsInput, kernels::Tan),
    PointwiseOp("Tanh", SameAsInput, kernels::Tanh),
};
GE_OP(kUnary);

Status InferToBool(InferContext& ctx) {
  ctx.SetOutput(0, DataType::kBool, ctx.shape(0));
  return Status::Ok();
}

constexpr OpImpl kTests[] = {
    PointwiseOp("IsInf", InferToBool, kernels::IsInf),
    PointwiseOp("IsNan", InferToBool, kernels::IsNan),
};
GE_OP(kTests);

}  // namespace
}  // namespace ge
