#pragma once

#include "frontend/onnx/onnx_op.h"

// Pieces of the imports of quantized operators.
namespace ge::onnx {

Result<Value> CastTo(OnnxOp& op, Value x, DataType dtype);

// `x` as `wide`, less `zero_point` where there is one that is not known to be all zeros.
Result<Value> Centered(OnnxOp& op, Value x, Value zero_point, DataType wide);

// `list` [n] as [n, 1, ...] with `ones` dims of 1; other shapes, and n = 1, as they are.
Result<Value> AsColumn(OnnxOp& op, Value list, size_t ones);

// The scale and the uint8 zero point of 256 levels that hold 0 and all of `x`, float32.
struct DynamicLevels {
  Value scale;
  Value zero_point;
};
Result<DynamicLevels> EmitDynamicLevels(OnnxOp& op, Value x);

// The attribute dtype of GE Quantize for `dtype`.
Result<std::string> QuantizedName(const OnnxOp& op, DataType dtype);

// accumulator * (x_scale * w_scale / y_scale), rounded and moved to `zero_point`: the end of an
// operator whose inputs and output are quantized.  `factor` is that product.
Status EmitRequantize(OnnxOp& op, Value accumulator, Value factor, Value zero_point,
                      DataType dtype);

}  // namespace ge::onnx
