#pragma once

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {

// Input 1 of an operator of two operands, in a shape that broadcasts to input 0 by the rule of
// opset 7 on.
//
// Before opset 7 the operands have one shape, unless attribute broadcast is 1.  Then the dims of
// input 1 stand for as many dims of input 0, from attribute axis on, or for its last ones, and the
// result has the shape of input 0.
Result<Value> SecondOperand(OnnxOp& op);

// E14001 if input `i` is known not to have the shape `wanted`, which it needs before opset 7
// without broadcast = 1.
Status AcceptWithoutBroadcast(const OnnxOp& op, size_t i, const Shape& wanted);

}  // namespace ge::onnx
