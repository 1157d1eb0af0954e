#pragma once

#include <optional>
#include <vector>

#include "frontend/onnx/onnx_op.h"

// Pieces of the imports of quantized operators.
namespace ge::onnx {

Result<Value> CastTo(OnnxOp& op, Value x, DataType dtype);

// `x` as `wide`, less `zero_point` where there is one that is not known to be all zeros.
Result<Value> Centered(OnnxOp& op, Value x, Value zero_point, DataType wide);

// Zero points of a product of 8-bit integers in the form of GE's: x less x_zero times w less
// w_zero.
struct ByteOffsets {
  int64_t offset_x = 0;  // attribute, where the zero point of x is constant
  Value offset_w, of_x;  // inputs 3 and 4; null: none
  // Appends them behind x, w and a bias.
  void AddTo(std::vector<Value>& inputs, AttrList& attrs) const;
};
// nullopt for what the operator cannot take: wider integers, and zero points that are not known to
// be one number, or of w one per channel or column.
std::optional<ByteOffsets> OffsetsOf(Value x, Value x_zero, Value w, Value w_zero);

// `list` [n] as [n, 1, ...] with `ones` dims of 1; other shapes, and n = 1, as they are.
Result<Value> AsColumn(OnnxOp& op, Value list, size_t ones);

// The attribute dtype of GE Quantize for `dtype`.
Result<std::string> QuantizedName(const OnnxOp& op, DataType dtype);

// accumulator * (x_scale * w_scale / y_scale), rounded and moved to `zero_point`: the end of an
// operator whose inputs and output are quantized.  `factor` is that product.
Status EmitRequantize(OnnxOp& op, Value accumulator, Value factor, Value zero_point,
                      DataType dtype);

}  // namespace ge::onnx
