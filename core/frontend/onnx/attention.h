#pragma once

#include <optional>

#include "frontend/onnx/formula.h"

// What Attention and FlexAttention share.  Tensors are [batch, heads, positions, size of a head].
namespace ge::onnx {

// Fails unless the heads of the query are a multiple of those of keys and values.
Status CheckHeads(OnnxOp& op, const Shape& query, const Shape& key);

// left @ right (or its transpose) per head, where right may have fewer heads: each serves a group
// of neighbouring heads of left, whose rows are then one matrix, so that right is not repeated.
Value ProductPerHead(Formula& f, Value left, Value right, bool transpose_right);

// Attribute scale.
std::optional<float> ScaleOf(const OnnxOp& op);

// `scale`, by default 1 / sqrt(size of a head), to the given power, in the dtype of `query`.
Value HeadScale(Formula& f, Value query, std::optional<float> scale, double power);

}  // namespace ge::onnx
