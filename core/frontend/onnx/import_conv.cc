// Conv -> Conv2D or Conv3D; a 1-D one gets an H axis of length 1 around it.
//
// The filter is passed on as it is: [O, C / group, kernel], data_format NCHW or NCDHW.  SAME_*
// padding becomes pads when the dims are known, otherwise the extra attribute auto_pad.
#include "frontend/onnx/window_attrs.h"

namespace ge::onnx {
namespace {

Result<size_t> ConvRank(const OnnxOp& op) {
  GE_ASSIGN(const size_t of_filter, SpatialRank(op, 1));
  if (of_filter != 0) return of_filter;
  GE_ASSIGN(const size_t of_x, SpatialRank(op, 0));
  if (of_x != 0) return of_x;
  const size_t of_kernel = op.Ints("kernel_shape").size();
  if (of_kernel >= 1 && of_kernel <= 3) return of_kernel;
  return op.Unsupported("input and filter of unknown rank without kernel_shape");
}

// Spatial dims of the filter, which kernel_shape must repeat when it is there.
Result<std::vector<int64_t>> KernelShape(const OnnxOp& op, size_t spatial) {
  const Shape& filter = op.shape(1);
  GE_ASSIGN(std::vector<int64_t> kernel, SpatialList(op, "kernel_shape", spatial, kUnknownDim));
  if (!filter.has_rank(spatial + 2)) return kernel;
  for (size_t i = 0; i < spatial; ++i) {
    const int64_t dim = filter[i + 2];
    if (dim == kUnknownDim) continue;
    if (kernel[i] != kUnknownDim && kernel[i] != dim) {
      return op.Fail("kernel_shape is " + Shape(kernel).ToString() + ", but the filter has shape " +
                     filter.ToString());
    }
    kernel[i] = dim;
  }
  return kernel;
}

Status ImportConv(OnnxOp& op) {
  if (!IsFloat(op.desc(0).dtype)) {
    return op.Unsupported("input of " + std::string(UserName(op.desc(0).dtype)) +
                          "; floating-point types are built");
  }
  GE_ASSIGN(const size_t spatial, ConvRank(op));
  GE_ASSIGN(const std::vector<int64_t> kernel, KernelShape(op, spatial));
  GE_ASSIGN(SlidingWindows windows, ReadWindows(op, kernel));
  Value x = op.input(0), filter = op.input(1);
  if (spatial == 1) {
    const AttrList axes = {{"axes", std::vector<int64_t>{2}}};
    InsertUnitAxis(windows, 2);
    GE_ASSIGN(x, op.EmitHelper("Unsqueeze", {x}, axes));
    GE_ASSIGN(filter, op.EmitHelper("Unsqueeze", {filter}, axes));
  }
  AttrList attrs = {{"strides", StridesOf(windows)},
                    {"pads", PadsOf(windows)},
                    {"dilations", DilationsOf(windows)},
                    {"groups", op.Int("group", 1)},
                    {"data_format", std::string(spatial == 3 ? "NCDHW" : "NCHW")}};
  if (IsSame(windows.padding)) attrs.emplace_back("auto_pad", NameOfSame(windows.padding));
  GE_ASSIGN(const std::vector<Value> y, op.Emit(spatial == 3 ? "Conv3D" : "Conv2D",
                                                {x, filter, op.input(2)}, std::move(attrs)));
  op.SetOutput(0, y[0]);
  if (spatial != 1) return Status::Ok();
  GE_ASSIGN(const Value squeezed,
            op.EmitHelper("Squeeze", {y[0]}, {{"axis", std::vector<int64_t>{2}}}));
  op.SetOutput(0, squeezed);
  return Status::Ok();
}

GE_ONNX_OP("Conv", ImportConv);

}  // namespace
}  // namespace ge::onnx
