// ConvTranspose -> Conv2DTranspose or Conv3DTranspose; a 1-D one gets an H axis of length 1.
//
// The filter is passed on as it is: [C, O / group, kernel].  input_size is all zeros, so that the
// shape of y follows from the attributes.  auto_pad and output_shape become pads and
// output_padding; the rules are those of onnxruntime:
//
//   total = (dim - 1) * stride + extent + output_padding - length,  length: output_shape or,
//   for SAME_*, dim * stride;  SAME_UPPER puts the odd element at the end, the others at the
//   beginning.  A negative total lengthens y instead, by less than stride or dilation.
#include <algorithm>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/window_attrs.h"

namespace ge::onnx {
namespace {

struct Transposed {
  SlidingWindows windows;
  std::vector<int64_t> output_padding;
  std::vector<int64_t> output_shape;  // empty unless it must be kept
};

void Distribute(int64_t total, Padding padding, Window& window) {
  const int64_t less = total / 2;
  const bool end = padding == Padding::kSameUpper;
  window.pad_begin = end ? less : total - less;
  window.pad_end = end ? total - less : less;
}

Status CheckOutputPadding(const OnnxOp& op, const std::vector<int64_t>& values,
                          const SlidingWindows& windows) {
  for (size_t i = 0; i < values.size(); ++i) {
    const int64_t limit = std::max(windows.axes[i].stride, windows.axes[i].dilation);
    if (values[i] >= 0 && values[i] < limit) continue;
    return op.Fail("output_padding is " + Shape(values).ToString() + "; 0 to " +
                   std::to_string(limit - 1) + ", less than stride or dilation, is accepted");
  }
  return Status::Ok();
}

// Turns output_shape of an axis of length `dim` into pads.
Status ResolveOutputShape(const OnnxOp& op, int64_t dim, int64_t length, Padding padding,
                          Window& window, int64_t& output_padding) {
  int64_t natural = 0;
  if (__builtin_mul_overflow(dim - 1, window.stride, &natural) ||
      __builtin_add_overflow(natural, window.extent() + output_padding, &natural)) {
    return op.Fail("input " + op.shape(0).ToString() + " is too large");
  }
  const int64_t total = natural - length;
  if (total > 2 * kWindowLimit || -total >= std::max(window.stride, window.dilation)) {
    return op.Fail("output_shape asks for " + std::to_string(length) + " where input " +
                   op.shape(0).ToString() + " gives " + std::to_string(natural));
  }
  Distribute(std::max<int64_t>(total, 0), padding, window);
  output_padding += std::max<int64_t>(-total, 0);
  return Status::Ok();
}

Result<Transposed> ReadTransposed(const OnnxOp& op, const std::vector<int64_t>& kernel) {
  const size_t spatial = kernel.size();
  Transposed result;
  GE_ASSIGN(result.windows, ReadWindows(op, kernel, false));
  GE_ASSIGN(result.output_padding, SpatialList(op, "output_padding", spatial, 0));
  GE_TRY(CheckOutputPadding(op, result.output_padding, result.windows));
  const Padding padding = result.windows.padding;
  if (!op.HasAttr("output_shape")) {
    result.windows.padding = Padding::kExplicit;
    for (size_t i = 0; i < spatial && IsSame(padding); ++i) {
      Window& window = result.windows.axes[i];
      if (window.kernel == kUnknownDim) {
        return op.Unsupported("auto_pad with a filter whose kernel dims are unknown");
      }
      const int64_t total = window.extent() + result.output_padding[i] - window.stride;
      Distribute(std::max<int64_t>(total, 0), padding, window);
    }
    return result;
  }
  GE_ASSIGN(const std::vector<int64_t> lengths, SpatialList(op, "output_shape", spatial, 0));
  if (std::any_of(lengths.begin(), lengths.end(), [](int64_t length) { return length < 1; })) {
    return op.Fail("output_shape is " + Shape(lengths).ToString() +
                   "; dims of 1 or more are accepted");
  }
  const Shape& x = op.shape(0);
  bool known = x.has_rank(spatial + 2);
  for (size_t i = 0; i < spatial && known; ++i) {
    known = x[i + 2] > 0 && kernel[i] != kUnknownDim;
  }
  if (!known) {
    result.output_shape = lengths;
    return result;
  }
  for (size_t i = 0; i < spatial; ++i) {
    GE_TRY(ResolveOutputShape(op, x[i + 2], lengths[i], padding, result.windows.axes[i],
                              result.output_padding[i]));
  }
  result.windows.padding = Padding::kExplicit;
  return result;
}

Result<std::vector<int64_t>> KernelShape(const OnnxOp& op) {
  const Shape& filter = op.shape(1);
  if (op.HasAttr("kernel_shape")) {
    const std::vector<int64_t> kernel = op.Ints("kernel_shape");
    if (kernel.empty() || kernel.size() > 3) {
      return op.Unsupported("kernel_shape of " + std::to_string(kernel.size()) +
                            " entries; 1 to 3 are built");
    }
    for (size_t i = 0; i < kernel.size(); ++i) {
      if (!filter.has_rank(kernel.size() + 2) || filter[i + 2] == kUnknownDim) continue;
      if (filter[i + 2] != kernel[i]) {
        return op.Fail("kernel_shape is " + Shape(kernel).ToString() +
                       ", but the filter has shape " + filter.ToString());
      }
    }
    return kernel;
  }
  GE_ASSIGN(const size_t spatial, SpatialRank(op, 1));
  if (spatial == 0) return op.Unsupported("a filter of unknown rank without kernel_shape");
  return std::vector<int64_t>(filter.dims().begin() + 2, filter.dims().end());
}

Status ImportConvTranspose(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats));
  GE_ASSIGN(const std::vector<int64_t> kernel, KernelShape(op));
  const size_t spatial = kernel.size();
  GE_ASSIGN(Transposed read, ReadTransposed(op, kernel));
  Value x = op.input(0), filter = op.input(1);
  if (spatial == 1) {
    const AttrList axes = {{"axes", std::vector<int64_t>{2}}};
    InsertUnitAxis(read.windows, 2);
    read.output_padding.insert(read.output_padding.begin(), 0);
    if (!read.output_shape.empty()) read.output_shape.insert(read.output_shape.begin(), 1);
    GE_ASSIGN(x, op.EmitHelper("Unsqueeze", {x}, axes));
    GE_ASSIGN(filter, op.EmitHelper("Unsqueeze", {filter}, axes));
  }
  const std::vector<int64_t> input_size(read.windows.axes.size() + 2, 0);
  read.output_padding.insert(read.output_padding.begin(), 2, 0);
  AttrList attrs = {{"strides", StridesOf(read.windows)},
                    {"pads", PadsOf(read.windows)},
                    {"dilations", DilationsOf(read.windows)},
                    {"groups", op.Int("group", 1)},
                    {"data_format", std::string(spatial == 3 ? "NCDHW" : "NCHW")},
                    {"output_padding", read.output_padding}};
  if (!read.output_shape.empty()) {
    attrs.emplace_back("output_shape", read.output_shape);
    if (read.windows.padding == Padding::kSameUpper) {
      attrs.emplace_back("auto_pad", std::string("SAME_UPPER"));
    }
  }
  GE_ASSIGN(const std::vector<Value> y,
            op.Emit(spatial == 3 ? "Conv3DTranspose" : "Conv2DTranspose",
                    {op.ConstList(input_size), x, filter, op.input(2)}, std::move(attrs)));
  op.SetOutput(0, y[0]);
  if (spatial != 1) return Status::Ok();
  GE_ASSIGN(const Value squeezed,
            op.EmitHelper("Squeeze", {y[0]}, {{"axis", std::vector<int64_t>{2}}}));
  op.SetOutput(0, squeezed);
  return Status::Ok();
}

GE_ONNX_OP("ConvTranspose", ImportConvTranspose);

}  // namespace
}  // namespace ge::onnx
