// Conv -> Conv2D or Conv3D; a 1-D one gets an H axis of length 1 around it.  ConvInteger and
// QLinearConv are convolutions of int32, the latter with Quantize behind it.
//
// The filter is passed on as it is: [O, C / group, kernel], data_format NCHW or NCDHW.  SAME_*
// padding becomes pads when the dims are known, otherwise the extra attribute auto_pad.
#include "frontend/onnx/accept.h"
#include "frontend/onnx/quantized.h"
#include "frontend/onnx/window_attrs.h"

namespace ge::onnx {
namespace {

Result<size_t> ConvRank(const OnnxOp& op, size_t filter_input) {
  GE_ASSIGN(const size_t of_filter, SpatialRank(op, filter_input));
  if (of_filter != 0) return of_filter;
  GE_ASSIGN(const size_t of_x, SpatialRank(op, 0));
  if (of_x != 0) return of_x;
  const size_t of_kernel = op.Ints("kernel_shape").size();
  if (of_kernel >= 1 && of_kernel <= 3) return of_kernel;
  return op.Unsupported("input and filter of unknown rank without kernel_shape");
}

// Spatial dims of the filter, which kernel_shape must repeat when it is there.
Result<std::vector<int64_t>> KernelShape(const OnnxOp& op, size_t filter_input, size_t spatial) {
  const Shape& filter = op.shape(filter_input);
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

// The convolution that the attributes describe.  `x` and `filter` have the shapes of inputs 0 and
// `filter_input`.
Result<Value> EmitConv(OnnxOp& op, size_t filter_input, Value x, Value filter, Value bias,
                       const ByteOffsets& offsets = {}) {
  GE_ASSIGN(const size_t spatial, ConvRank(op, filter_input));
  GE_ASSIGN(const std::vector<int64_t> kernel, KernelShape(op, filter_input, spatial));
  GE_ASSIGN(SlidingWindows windows, ReadWindows(op, kernel));
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
  std::vector<Value> inputs = {x, filter, bias};
  offsets.AddTo(inputs, attrs);
  GE_ASSIGN(const std::vector<Value> y,
            op.Emit(spatial == 3 ? "Conv3D" : "Conv2D", std::move(inputs), std::move(attrs)));
  if (spatial != 1) return y[0];
  return op.EmitHelper("Squeeze", {y[0]}, {{"axis", std::vector<int64_t>{2}}});
}

Status ImportConv(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats));
  GE_ASSIGN(const Value y, EmitConv(op, 1, op.input(0), op.input(1), op.input(2)));
  op.SetOutput(0, y);
  return Status::Ok();
}

// The convolution of x and a filter less their zero points, which padding stands for.
Result<Value> EmitByteConv(OnnxOp& op, Value x_zero, size_t filter_input, Value filter_zero,
                           Value bias) {
  const Value x = op.input(0), filter = op.input(filter_input);
  if (const std::optional<ByteOffsets> offsets = OffsetsOf(x, x_zero, filter, filter_zero)) {
    return EmitConv(op, filter_input, x, filter, bias, *offsets);
  }
  GE_ASSIGN(const size_t spatial, ConvRank(op, filter_input));
  GE_ASSIGN(const Value per_output, AsColumn(op, filter_zero, spatial + 1));
  GE_ASSIGN(const Value wide_x, Centered(op, x, x_zero, DataType::kInt32));
  GE_ASSIGN(const Value wide_filter, Centered(op, filter, per_output, DataType::kInt32));
  return EmitConv(op, filter_input, wide_x, wide_filter, bias);
}

Status ImportConvInteger(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 4));
  GE_TRY(AcceptDtypes(op, kIntegers));
  GE_ASSIGN(const Value y, EmitByteConv(op, op.input(2), 1, op.input(3), {}));
  op.SetOutput(0, y);
  return Status::Ok();
}

// Inputs: x, its scale and zero point, filter, its scale and zero point, scale and zero point of y,
// bias of int32.
Status ImportQLinearConv(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 8));
  GE_TRY(AcceptInputs(op, 9));
  GE_ASSIGN(const size_t spatial, ConvRank(op, 3));
  GE_ASSIGN(const Value filter_scale, AsColumn(op, op.input(4), spatial));
  GE_ASSIGN(const Value y, EmitByteConv(op, op.input(2), 3, op.input(5), op.input(8)));
  GE_ASSIGN(Value factor, op.EmitHelper("Mul", {op.input(1), filter_scale}));
  GE_ASSIGN(factor, op.EmitHelper("Div", {factor, op.input(6)}));
  return EmitRequantize(op, y, factor, op.input(7), op.desc(7).dtype);
}

GE_ONNX_OP("Conv", ImportConv);
GE_ONNX_OP("ConvInteger", ImportConvInteger);
GE_ONNX_OP("QLinearConv", ImportQLinearConv);

}  // namespace
}  // namespace ge::onnx
