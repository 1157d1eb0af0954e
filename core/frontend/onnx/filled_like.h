#pragma once

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {

// A tensor of the shape of `like` with `dtype`, every element 0 or 1: a Fill when the shape is
// known, otherwise ZerosLike or OnesLike and a Cast.
Result<Value> FilledLike(OnnxOp& op, Value like, bool ones, DataType dtype);

// Whether constants of `dtype` can be made: integers, bool, float16 to float64 and bfloat16.
bool HasConstants(DataType dtype);

}  // namespace ge::onnx
