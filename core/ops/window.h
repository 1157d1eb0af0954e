#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/op_impl.h"

// Sliding windows, which convolutions and pooling share.
namespace ge {

// Where the axes of a layout such as "NCHW" or "NDHWC" are.
struct Layout {
  size_t batch = 0;
  size_t channel = 0;
  std::vector<size_t> spatial;  // in the order D, H, W

  size_t rank() const { return spatial.size() + 2; }
};
// nullopt when `name` is not a layout with `spatial` spatial axes.
std::optional<Layout> FindLayout(std::string_view name, size_t spatial);
// The layout that the attribute data_format names.
Result<Layout> DataLayout(const InferContext& ctx, size_t spatial);
// Shape of input i, its dims unknown when its rank is.  Fails when the rank does not fit.
Result<Shape> ShapeIn(const InferContext& ctx, size_t i, const Layout& layout);

// How one spatial axis is walked.
struct Window {
  int64_t kernel = kUnknownDim;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_begin = 0;
  int64_t pad_end = 0;

  // From the first to the last element of one window, counting both; the kernel is known.
  int64_t extent() const { return (kernel - 1) * dilation + 1; }
};
// Every number of a window is at most this, so that sums and products of two fit 63 bits.
inline constexpr int64_t kWindowLimit = INT32_MAX;

// What is wrong with the numbers of a window, without a full stop.
std::optional<std::string> FaultOf(const Window& window);

// How the padding of an axis is found.
enum class Padding { kExplicit, kValid, kSameUpper, kSameLower };
// By the values that GE and ONNX use: CALCULATED, NOTSET, VALID, SAME, SAME_UPPER, SAME_LOWER.
std::optional<Padding> FindPadding(std::string_view name);
inline bool IsSame(Padding padding) {
  return padding == Padding::kSameUpper || padding == Padding::kSameLower;
}
// Padding that makes the result of a convolution ceil(dim / stride) long; the odd element goes to
// the end (kSameUpper) or the beginning (kSameLower).
std::pair<int64_t, int64_t> SamePads(int64_t dim, const Window& window, Padding padding);

// Names of the attributes that describe the windows of an operator type.
struct WindowAttrs {
  std::string_view strides = "strides";
  std::string_view dilations = "dilations";
  std::string_view padding = "auto_pad";
};
// One window per spatial axis, checked.  strides and dilations have one entry per axis of the
// layout, pads two per spatial axis: begin, end.  An attribute that is absent is all ones or zeros.
Result<std::vector<Window>> WindowsOf(const InferContext& ctx, const Layout& layout,
                                      const std::vector<int64_t>& kernel, const WindowAttrs& names);
Result<Padding> PaddingOf(const InferContext& ctx, std::string_view attr);

// Number of windows along an axis of length `dim`; -1 when it is unknown.  With `ceil` a last
// window that is only partly inside counts if it starts inside the tensor or its first padding.
Result<int64_t> WindowCount(const InferContext& ctx, int64_t dim, const Window& window,
                            Padding padding, bool ceil);

}  // namespace ge
