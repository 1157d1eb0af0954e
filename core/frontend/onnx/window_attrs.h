#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/onnx/onnx_op.h"
#include "ops/window.h"

// Attributes that ONNX convolutions and pooling share: strides, dilations, pads, auto_pad.
namespace ge::onnx {

struct SlidingWindows {
  std::vector<Window> axes;  // one per spatial axis
  // kSameUpper and kSameLower only while the pads depend on dims that are not known.
  Padding padding = Padding::kExplicit;

  bool has_dilation() const;
};

// Reads the attributes for windows of `kernel` (-1: not known) over the spatial axes of input 0
// and turns auto_pad into pads where that is possible.  `same_pads` false: SAME_* stays.
Result<SlidingWindows> ReadWindows(const OnnxOp& op, const std::vector<int64_t>& kernel,
                                   bool same_pads = true);
// The attribute `name` with one entry per spatial axis, `fill` when it is left out.
Result<std::vector<int64_t>> SpatialList(const OnnxOp& op, std::string_view name, size_t spatial,
                                         int64_t fill);
// Number of spatial axes of input `i`, 1 to 3; 0 when its rank is unknown.
Result<size_t> SpatialRank(const OnnxOp& op, size_t i);

// Adds an axis of length 1 at position `axis` (2 or 3), which makes a 1-D case a 2-D one.
void InsertUnitAxis(SlidingWindows& windows, size_t axis);

// Lists as GE has them: one entry per axis of NCHW or NCDHW.
std::vector<int64_t> KernelOf(const SlidingWindows& windows);
std::vector<int64_t> StridesOf(const SlidingWindows& windows);
std::vector<int64_t> DilationsOf(const SlidingWindows& windows);
// Begin and end of each spatial axis.
std::vector<int64_t> PadsOf(const SlidingWindows& windows);
// "SAME_UPPER" or "SAME_LOWER".
std::string NameOfSame(Padding padding);

}  // namespace ge::onnx
