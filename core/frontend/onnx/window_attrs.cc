#include "frontend/onnx/window_attrs.h"

#include <algorithm>

namespace ge::onnx {
namespace {

template <typename Field>
std::vector<int64_t> ListOf(const SlidingWindows& windows, Field field) {
  std::vector<int64_t> list = {1, 1};
  for (const Window& window : windows.axes) list.push_back(window.*field);
  return list;
}

Result<Padding> ReadAutoPad(const OnnxOp& op) {
  const std::string name = op.Str("auto_pad", "NOTSET");
  if (name == "NOTSET" || name == "VALID" || name == "SAME_UPPER" || name == "SAME_LOWER") {
    return *FindPadding(name);
  }
  return op.Fail("auto_pad is \"" + name +
                 "\"; NOTSET, VALID, SAME_UPPER and SAME_LOWER are accepted");
}

}  // namespace

bool SlidingWindows::has_dilation() const {
  return std::any_of(axes.begin(), axes.end(), [](const Window& w) { return w.dilation != 1; });
}

Result<std::vector<int64_t>> SpatialList(const OnnxOp& op, std::string_view name, size_t spatial,
                                         int64_t fill) {
  std::vector<int64_t> values = op.Ints(name, std::vector<int64_t>(spatial, fill));
  if (values.size() == spatial) return values;
  return op.Fail("attribute " + std::string(name) + " has " + std::to_string(values.size()) +
                 " entries for " + std::to_string(spatial) + " spatial axes");
}

Result<size_t> SpatialRank(const OnnxOp& op, size_t i) {
  const Shape& shape = op.shape(i);
  if (shape.unknown_rank()) return size_t{0};
  if (shape.rank() < 3) {
    return op.Fail("input " + std::to_string(i) + " has shape " + shape.ToString() +
                   "; 3 or more dims are accepted");
  }
  if (shape.rank() > 5) {
    return op.Unsupported("more than 3 spatial axes; 1 to 3 are built");
  }
  return shape.rank() - 2;
}

Result<SlidingWindows> ReadWindows(const OnnxOp& op, const std::vector<int64_t>& kernel,
                                   bool same_pads) {
  const size_t spatial = kernel.size();
  GE_ASSIGN(const std::vector<int64_t> strides, SpatialList(op, "strides", spatial, 1));
  GE_ASSIGN(const std::vector<int64_t> dilations, SpatialList(op, "dilations", spatial, 1));
  GE_ASSIGN(const Padding padding, ReadAutoPad(op));
  std::vector<int64_t> pads = op.Ints("pads", std::vector<int64_t>(2 * spatial, 0));
  if (pads.size() != 2 * spatial) {
    return op.Fail("attribute pads has " + std::to_string(pads.size()) + " entries for " +
                   std::to_string(spatial) + " spatial axes; two per axis are accepted");
  }
  if (padding != Padding::kExplicit &&
      std::any_of(pads.begin(), pads.end(), [](int64_t pad) { return pad != 0; })) {
    return op.Fail("pads and auto_pad " + op.Str("auto_pad", "") +
                   " contradict each other; one of them is accepted");
  }
  SlidingWindows windows;
  for (size_t i = 0; i < spatial; ++i) {
    Window window = {kernel[i], strides[i], dilations[i], pads[i], pads[i + spatial]};
    if (const std::optional<std::string> fault = FaultOf(window)) return op.Fail(*fault);
    windows.axes.push_back(window);
  }
  if (!IsSame(padding)) return windows;

  const Shape& x = op.shape(0);
  bool known = same_pads && x.has_rank(spatial + 2);
  for (size_t i = 0; i < spatial && known; ++i) {
    known = x[i + 2] != kUnknownDim && windows.axes[i].kernel != kUnknownDim;
  }
  if (!known) {
    windows.padding = padding;
    return windows;
  }
  for (size_t i = 0; i < spatial; ++i) {
    Window& window = windows.axes[i];
    std::tie(window.pad_begin, window.pad_end) = SamePads(x[i + 2], window, padding);
  }
  return windows;
}

void InsertUnitAxis(SlidingWindows& windows, size_t axis) {
  windows.axes.insert(windows.axes.begin() + static_cast<ptrdiff_t>(axis - 2), Window{.kernel = 1});
}

std::vector<int64_t> KernelOf(const SlidingWindows& windows) {
  return ListOf(windows, &Window::kernel);
}
std::vector<int64_t> StridesOf(const SlidingWindows& windows) {
  return ListOf(windows, &Window::stride);
}
std::vector<int64_t> DilationsOf(const SlidingWindows& windows) {
  return ListOf(windows, &Window::dilation);
}

std::vector<int64_t> PadsOf(const SlidingWindows& windows) {
  std::vector<int64_t> pads;
  for (const Window& window : windows.axes) {
    pads.push_back(window.pad_begin);
    pads.push_back(window.pad_end);
  }
  return pads;
}

std::string NameOfSame(Padding padding) {
  return padding == Padding::kSameLower ? "SAME_LOWER" : "SAME_UPPER";
}

}  // namespace ge::onnx
