// Operators of one or two operands that map to one GE operator: arithmetic, comparisons, logic,
// bits, functions of one operand without parameters.  Operands broadcast; before opset 7 only the
// second does, by attributes (legacy_broadcast.h).
#include <array>
#include <limits>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/legacy_broadcast.h"

namespace ge::onnx {
namespace {

struct Direct {
  std::string_view onnx_type;
  std::string_view ge_type;
  unsigned accepts;
  size_t inputs;
};

constexpr Direct kDirect[] = {
    {"Abs", "Abs", kNumbers, 1},
    {"Acos", "Acos", kFloats, 1},
    {"Acosh", "Acosh", kFloats, 1},
    {"Add", "Add", kNumbers, 2},
    {"And", "LogicalAnd", kBools, 2},
    {"Asin", "Asin", kFloats, 1},
    {"Asinh", "Asinh", kFloats, 1},
    {"Atan", "Atan", kFloats, 1},
    {"Atanh", "Atanh", kFloats, 1},
    {"BitwiseAnd", "BitwiseAnd", kIntegers, 2},
    {"BitwiseNot", "Invert", kIntegers, 1},
    {"BitwiseOr", "BitwiseOr", kIntegers, 2},
    {"BitwiseXor", "BitwiseXor", kIntegers, 2},
    {"Ceil", "Ceil", kFloats, 1},
    {"Cos", "Cos", kFloats, 1},
    {"Cosh", "Cosh", kFloats, 1},
    {"Equal", "Equal", kNumbers | kBools, 2},
    {"Erf", "Erf", kFloats, 1},
    {"Exp", "Exp", kFloats, 1},
    {"Floor", "Floor", kFloats, 1},
    {"Greater", "Greater", kNumbers, 2},
    {"GreaterOrEqual", "GreaterEqual", kNumbers, 2},
    {"IsNaN", "IsNan", kFloats, 1},
    {"Less", "Less", kNumbers, 2},
    {"LessOrEqual", "LessEqual", kNumbers, 2},
    {"Log", "Log", kFloats, 1},
    {"Mul", "Mul", kNumbers, 2},
    {"Neg", "Neg", kNumbers, 1},
    {"Not", "LogicalNot", kBools, 1},
    {"Or", "LogicalOr", kBools, 2},
    {"Pow", "Pow", kNumbers, 2},
    {"Reciprocal", "Reciprocal", kFloats, 1},
    {"Round", "Round", kFloats, 1},
    {"Sign", "Sign", kNumbers, 1},
    {"Sin", "Sin", kFloats, 1},
    {"Sinh", "Sinh", kFloats, 1},
    {"Sqrt", "Sqrt", kFloats, 1},
    {"Sub", "Sub", kNumbers, 2},
    {"Tan", "Tan", kFloats, 1},
    {"Tanh", "Tanh", kFloats, 1},
    {"Xor", "NotEqual", kBools, 2},
};

Status ImportDirect(OnnxOp& op) {
  const Direct* row = kDirect;
  while (row->onnx_type != op.node().op_type) ++row;
  GE_TRY(AcceptInputs(op, row->inputs));
  GE_TRY(AcceptDtypes(op, row->accepts));
  std::vector<Value> inputs;
  for (size_t i = 0; i < op.input_count(); ++i) inputs.push_back(op.input(i));
  if (row->inputs == 2) {
    GE_ASSIGN(inputs[1], SecondOperand(op));
  }
  return op.EmitAs0(row->ge_type, std::move(inputs));
}

[[maybe_unused]] const bool kRegistered = [] {
  for (const Direct& row : kDirect) ImportRegistrar("", row.onnx_type, ImportDirect);
  return true;
}();

// Integers truncate toward zero.
Status ImportDiv(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kNumbers));
  const bool real = op.has_input(0) && IsFloat(op.desc(0).dtype);
  GE_ASSIGN(const Value divisor, SecondOperand(op));
  return op.EmitAs0(real ? "RealDiv" : "Div", {op.input(0), divisor});
}
GE_ONNX_OP("Div", ImportDiv);

// fmod = 0: the remainder has the sign of the divisor, for floats from opset 28 on.
// fmod = 1: the sign of the dividend.
Status ImportMod(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kNumbers));
  const int64_t fmod = op.Int("fmod", 0);
  if (fmod != 0 && fmod != 1) {
    return op.Fail("attribute fmod is " + std::to_string(fmod) + "; 0 and 1 are accepted");
  }
  if (fmod == 0 && op.opset() < 28 && op.has_input(0) && IsFloat(op.desc(0).dtype)) {
    return op.Fail("attribute fmod is 0, but " + std::string(UserName(op.desc(0).dtype)) +
                   " operands need 1 below opset 28");
  }
  return op.EmitAs0(fmod == 1 ? "Mod" : "FloorMod", {op.input(0), op.input(1)});
}
GE_ONNX_OP("Mod", ImportMod);

Status ImportBitShift(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 2));
  GE_TRY(AcceptDtypes(op, kIntegers));
  const std::string direction = op.Str("direction", "");
  if (direction != "LEFT" && direction != "RIGHT") {
    return op.Fail("attribute direction is \"" + direction + "\"; LEFT and RIGHT are accepted");
  }
  return op.EmitAs0(direction == "LEFT" ? "LeftShift" : "RightShift", {op.input(0), op.input(1)});
}
GE_ONNX_OP("BitShift", ImportBitShift);

// One sign alone is a comparison with that infinity; neither sign is a comparison that is false
// for every x.
Status ImportIsInf(OnnxOp& op) {
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kFloats));
  if (!op.has_input(0)) return op.Fail("input X is missing");
  const bool negative = op.Int("detect_negative", 1) != 0;
  const bool positive = op.Int("detect_positive", 1) != 0;
  if (negative && positive) return op.EmitAs0("IsInf", {op.input(0)});
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Value infinity = op.ConstScalar(positive ? kInf : -kInf, op.desc(0).dtype);
  return op.EmitAs0(positive || negative ? "Equal" : "Less", {op.input(0), infinity});
}
GE_ONNX_OP("IsInf", ImportIsInf);

}  // namespace
}  // namespace ge::onnx
