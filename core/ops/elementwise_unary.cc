// Operators of one operand that work element by element: y = f(x).
//
// y has the shape and dtype of x.  LogicalNot takes bool, Invert integers, Neg, Abs, Sign,
// Round and Square any number; the others take floats.
// Source: prototypes of the same names in tables/ops.json.
#include "kernels/arithmetic.h"
#include "kernels/unary.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

constexpr OpImpl kUnary[] = {
    {.type = "Abs", .infer = SameAsInput, .run_host = kernels::Abs},
    {.type = "Acos", .infer = SameAsInput, .run_host = kernels::Acos},
    {.type = "Acosh", .infer = SameAsInput, .run_host = kernels::Acosh},
    {.type = "Asin", .infer = SameAsInput, .run_host = kernels::Asin},
    {.type = "Asinh", .infer = SameAsInput, .run_host = kernels::Asinh},
    {.type = "Atan", .infer = SameAsInput, .run_host = kernels::Atan},
    {.type = "Atanh", .infer = SameAsInput, .run_host = kernels::Atanh},
    {.type = "Ceil", .infer = SameAsInput, .run_host = kernels::Ceil},
    {.type = "Cos", .infer = SameAsInput, .run_host = kernels::Cos},
    {.type = "Cosh", .infer = SameAsInput, .run_host = kernels::Cosh},
    {.type = "Erf", .infer = SameAsInput, .run_host = kernels::Erf},
    {.type = "Exp", .infer = SameAsInput, .run_host = kernels::Exp},
    {.type = "Floor", .infer = SameAsInput, .run_host = kernels::Floor},
    {.type = "Invert", .infer = SameAsInput, .run_host = kernels::Invert},
    {.type = "Log", .infer = SameAsInput, .run_host = kernels::Log},
    {.type = "LogicalNot", .infer = SameAsInput, .run_host = kernels::LogicalNot},
    {.type = "Neg", .infer = SameAsInput, .run_host = kernels::Neg},
    {.type = "Reciprocal", .infer = SameAsInput, .run_host = kernels::Reciprocal},
    {.type = "Round", .infer = SameAsInput, .run_host = kernels::Round},
    {.type = "Rsqrt", .infer = SameAsInput, .run_host = kernels::Rsqrt},
    {.type = "Sign", .infer = SameAsInput, .run_host = kernels::Sign},
    {.type = "Sin", .infer = SameAsInput, .run_host = kernels::Sin},
    {.type = "Sinh", .infer = SameAsInput, .run_host = kernels::Sinh},
    {.type = "Sqrt", .infer = SameAsInput, .run_host = kernels::Sqrt},
    {.type = "Square", .infer = SameAsInput, .run_host = kernels::Square},
    {.type = "Tan", .infer = SameAsInput, .run_host = kernels::Tan},
    {.type = "Tanh", .infer = SameAsInput, .run_host = kernels::Tanh},
};
GE_OP(kUnary);

Status InferToBool(InferContext& ctx) {
  ctx.SetOutput(0, DataType::kBool, ctx.shape(0));
  return Status::Ok();
}

constexpr OpImpl kTests[] = {
    {.type = "IsInf", .infer = InferToBool, .run_host = kernels::IsInf},
    {.type = "IsNan", .infer = InferToBool, .run_host = kernels::IsNan},
};
GE_OP(kTests);

}  // namespace
}  // namespace ge
