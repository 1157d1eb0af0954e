#pragma once

#include <cstdint>

#include "kernels/kernel_context.h"

namespace ge {

// One axis of a slice after clamping: `count` elements from `first` on, each `step` further.
struct AxisSlice {
  int64_t first = 0;
  int64_t step = 1;
  int64_t count = 0;
};

// ONNX rules: negative bounds count from the end, bounds beyond the axis are clamped.  Any values
// are accepted but a step of 0.
AxisSlice ClampSlice(int64_t dim, int64_t begin, int64_t end, int64_t step);

namespace kernels {
Status StridedSlice(KernelContext& ctx);  // StridedSliceV2
Status Slice(KernelContext& ctx);
Status Pad(KernelContext& ctx);  // PadV3
}  // namespace kernels

}  // namespace ge
