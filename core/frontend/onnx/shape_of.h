#pragma once

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {

// The dims of `value` as an int64 list: a constant when all are known, otherwise a Shape node
// beside `op`.
Result<Value> ShapeOf(OnnxOp& op, Value value);

// Whether constants of `dtype` can be made: integers, bool, float16 to float64 and bfloat16.
bool HasConstants(DataType dtype);

}  // namespace ge::onnx
