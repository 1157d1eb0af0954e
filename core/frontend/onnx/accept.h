#pragma once

#include "frontend/onnx/onnx_op.h"

namespace ge::onnx {

// Kinds of element types; they add up.
enum Accept : unsigned {
  kFloats = 1,    // float16, bfloat16, float32, float64
  kIntegers = 2,  // 8 to 64 bits
  kBools = 4,
  kNumbers = kFloats | kIntegers,
};

// Unsupported, naming the dtype, unless inputs 0 to last that are there have an accepted one.
Status AcceptDtypes(const OnnxOp& op, unsigned kinds, size_t last = SIZE_MAX);

// E14001 unless inputs 0 to count - 1 are there, for imports that look at them before the GE node
// is made.
Status RequireInputs(const OnnxOp& op, size_t count);

// E14001 when there are more inputs than `count`.  That required ones are there is checked when
// the GE node is made.
Status AcceptInputs(const OnnxOp& op, size_t count);

// An axis attribute, counted from the front where the rank of input 0 is known; E14001 if it is
// out of range.
Result<int64_t> AcceptAxis(const OnnxOp& op, int64_t axis);

}  // namespace ge::onnx
