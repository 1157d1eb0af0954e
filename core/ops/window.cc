#include "ops/window.h"

#include <algorithm>

namespace ge {

std::optional<Layout> FindLayout(std::string_view name, size_t spatial) {
  if (name.size() != spatial + 2) return std::nullopt;
  Layout layout;
  size_t found = 0;
  const auto axis_of = [&](char letter) {
    const size_t axis = name.find(letter);
    if (axis != std::string_view::npos) ++found;
    return axis;
  };
  layout.batch = axis_of('N');
  layout.channel = axis_of('C');
  for (const char letter : std::string_view("DHW").substr(spatial < 3 ? 3 - spatial : 0)) {
    layout.spatial.push_back(axis_of(letter));
  }
  if (found != name.size()) return std::nullopt;
  return layout;
}

Result<Layout> DataLayout(const InferContext& ctx, size_t spatial) {
  const std::string name = ctx.Str("data_format");
  if (const std::optional<Layout> layout = FindLayout(name, spatial)) return *layout;
  return ctx.Fail("data_format is \"" + name + "\"; " +
                  (spatial == 2 ? "NCHW and NHWC" : "NCDHW and NDHWC") + " are accepted");
}

Result<Shape> ShapeIn(const InferContext& ctx, size_t i, const Layout& layout) {
  const Shape& shape = ctx.shape(i);
  if (shape.unknown_rank()) return Shape::UnknownDims(layout.rank());
  if (shape.rank() == layout.rank()) return shape;
  return ctx.Fail("input " + std::to_string(i) + " has shape " + shape.ToString() + "; " +
                  std::to_string(layout.rank()) + " dims are accepted");
}

std::optional<std::string> FaultOf(const Window& window) {
  const auto fault = [](std::string_view what, int64_t value, int64_t least) {
    return std::string(what) + " is " + std::to_string(value) + "; " + std::to_string(least) +
           " to " + std::to_string(kWindowLimit) + " are accepted";
  };
  const auto outside = [](int64_t value, int64_t least) {
    return value < least || value > kWindowLimit;
  };
  if (window.kernel != kUnknownDim && outside(window.kernel, 1)) {
    return fault("a kernel dim", window.kernel, 1);
  }
  if (outside(window.stride, 1)) return fault("a stride", window.stride, 1);
  if (outside(window.dilation, 1)) return fault("a dilation", window.dilation, 1);
  for (const int64_t pad : {window.pad_begin, window.pad_end}) {
    if (outside(pad, 0)) return fault("a pad", pad, 0);
  }
  return std::nullopt;
}

std::optional<Padding> FindPadding(std::string_view name) {
  if (name.empty() || name == "NOTSET" || name == "CALCULATED") return Padding::kExplicit;
  if (name == "VALID") return Padding::kValid;
  if (name == "SAME" || name == "SAME_UPPER") return Padding::kSameUpper;
  if (name == "SAME_LOWER") return Padding::kSameLower;
  return std::nullopt;
}

std::pair<int64_t, int64_t> SamePads(int64_t dim, const Window& window, Padding padding) {
  const int64_t over = dim % window.stride == 0 ? window.stride : dim % window.stride;
  const int64_t total = std::max<int64_t>(0, window.extent() - over);
  const int64_t less = total / 2;
  if (padding == Padding::kSameLower) return {total - less, less};
  return {less, total - less};
}

Result<std::vector<Window>> WindowsOf(const InferContext& ctx, const Layout& layout,
                                      const std::vector<int64_t>& kernel,
                                      const WindowAttrs& names) {
  const auto list = [&](std::string_view attr, size_t size,
                        int64_t fill) -> Result<std::vector<int64_t>> {
    std::vector<int64_t> values = ctx.Ints(attr);
    if (values.empty()) values.assign(size, fill);
    if (values.size() == size) return values;
    return ctx.Fail("attribute " + std::string(attr) + " has " + std::to_string(values.size()) +
                    " entries; " + std::to_string(size) + " are accepted");
  };
  const size_t count = layout.spatial.size();
  GE_ASSIGN(const std::vector<int64_t> strides, list(names.strides, layout.rank(), 1));
  GE_ASSIGN(const std::vector<int64_t> dilations, list(names.dilations, layout.rank(), 1));
  GE_ASSIGN(const std::vector<int64_t> pads, list("pads", 2 * count, 0));
  std::vector<Window> windows;
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = layout.spatial[i];
    windows.push_back({kernel[i], strides[axis], dilations[axis], pads[2 * i], pads[2 * i + 1]});
    if (const std::optional<std::string> fault = FaultOf(windows.back())) return ctx.Fail(*fault);
  }
  return windows;
}

Result<Padding> PaddingOf(const InferContext& ctx, std::string_view attr) {
  const std::string name = ctx.Str(attr);
  if (const std::optional<Padding> padding = FindPadding(name)) return *padding;
  return ctx.Fail("attribute " + std::string(attr) + " is \"" + name +
                  "\"; CALCULATED, VALID, SAME and SAME_LOWER are accepted");
}

Result<int64_t> WindowCount(const InferContext& ctx, int64_t dim, const Window& window,
                            Padding padding, bool ceil) {
  if (dim == kUnknownDim) return kUnknownDim;
  if (IsSame(padding)) return dim / window.stride + (dim % window.stride != 0 ? 1 : 0);
  if (window.kernel == kUnknownDim) return kUnknownDim;
  const bool valid = padding == Padding::kValid;
  const int64_t begin = valid ? 0 : window.pad_begin;
  const int64_t end = valid ? 0 : window.pad_end;
  int64_t padded = 0;
  if (__builtin_add_overflow(dim, begin + end, &padded)) {
    return ctx.Fail("a dim of " + std::to_string(dim) + " is too large to be padded");
  }
  const int64_t room = padded - window.extent();
  if (room < 0) {
    return ctx.Fail("the window reaches over " + std::to_string(window.extent()) +
                    " elements, but the padded input " + ctx.shape(0).ToString() + " has only " +
                    std::to_string(padded) + " along that axis");
  }
  int64_t count = room / window.stride + 1;
  if (ceil && room % window.stride != 0 && count <= (dim + begin - 1) / window.stride) ++count;
  return count;
}

}  // namespace ge
