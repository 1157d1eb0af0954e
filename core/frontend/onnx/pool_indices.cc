// MaxPool with Indices -> MaxPoolWithArgmaxV3 or MaxPool3DWithArgmaxV2, whose indices count within
// a channel.  MaxUnpool -> ScatterElements into zeros.
#include "frontend/onnx/pool_indices.h"

#include <algorithm>
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

std::vector<int64_t> Spatial(const std::vector<int64_t>& list) {
  return {list.begin() + 2, list.end()};
}

// Places within a channel, in column-major order (the first spatial axis fastest) if asked for.
Value Ordered(Formula& f, Value index, Value x, size_t spatial, bool column_major) {
  if (!column_major) return index;
  // The digits of the index, from the last axis on, are those of the new one from its first axis.
  Value rest = index, ordered, factor;
  std::vector<Value> digits(spatial);
  for (size_t i = spatial; i-- > 0;) {
    const Value size = f.Dim(x, static_cast<int64_t>(2 + i));
    digits[i] = f("FloorMod", {rest, size});
    rest = f("FloorDiv", {rest, size});
  }
  for (size_t i = 0; i < spatial; ++i) {
    ordered = factor ? f("Add", {ordered, f("Mul", {digits[i], factor})}) : digits[i];
    const Value size = f.Dim(x, static_cast<int64_t>(2 + i));
    factor = factor ? f("Mul", {factor, size}) : size;
  }
  return ordered;
}

Status ImportMaxUnpool(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 2));
  GE_TRY(AcceptInputs(op, 3));
  GE_TRY(AcceptDtypes(op, kFloats, 0));
  const std::vector<int64_t> kernel = op.Ints("kernel_shape");
  const Shape& x = op.shape(0);
  if (!x.unknown_rank() && x.rank() != kernel.size() + 2) {
    return op.Fail("X has shape " + x.ToString() + " for a kernel of " +
                   std::to_string(kernel.size()) + " axes");
  }
  GE_ASSIGN(const SlidingWindows windows, ReadWindows(op, kernel));
  Formula f(op);
  // The indices count along the tensor that a pooling of these windows would have read.
  std::vector<Value> sizes = {f.Dim(op.input(0), 0), f.Dim(op.input(0), 1)};
  for (size_t i = 0; i < kernel.size(); ++i) {
    const Window& window = windows.axes[i];
    const Value steps = f("Sub", {f.Dim(op.input(0), static_cast<int64_t>(2 + i)), f.Ints({1})});
    const Value rest = f.Ints({window.kernel - window.pad_begin - window.pad_end});
    sizes.push_back(f("Add", {f("Mul", {steps, f.Ints({window.stride})}), rest}));
  }
  const Value dims = op.has_input(2) ? f.Cast(op.input(2), DataType::kInt64) : f.Concat(sizes, 0);
  const Value count = f("ReduceProd", {dims, f.Ints({0})}, {{"keep_dims", true}});
  const Value zeros = f("Fill", {count, f.Scalar(0, op.desc(0).dtype)});
  const Value flat =
      f("ScatterElements", {zeros, f.Reshape(op.input(1), {-1}), f.Reshape(op.input(0), {-1})},
        {{"axis", int64_t{0}}});
  const Value y = op.has_input(2) ? f.Reshape(flat, dims) : f.ReshapeTo(flat, sizes);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("MaxUnpool", ImportMaxUnpool);

}  // namespace

Status ImportMaxPoolWithIndices(OnnxOp& op, SlidingWindows windows, bool ceil_mode) {
  const int64_t order = op.Int("storage_order", 0);
  if (order != 0 && order != 1) {
    return op.Fail("storage_order is " + std::to_string(order) + "; 0 and 1 are accepted");
  }
  if (IsSame(windows.padding)) {
    return op.Unsupported("output Indices with auto_pad SAME and unknown dims");
  }
  Formula f(op);
  Value x = op.input(0);
  const bool is_1d = windows.axes.size() == 1;
  if (is_1d) {
    InsertUnitAxis(windows, 3);
    x = f.Unsqueeze(x, {3});
  }
  const size_t spatial = windows.axes.size();
  std::vector<Value> y =
      f.Outputs(spatial == 3 ? "MaxPool3DWithArgmaxV2" : "MaxPoolWithArgmaxV3", {x},
                {{"ksize", Spatial(KernelOf(windows))},
                 {"strides", Spatial(StridesOf(windows))},
                 {"pads", PadsOf(windows)},
                 {"dilation", Spatial(DilationsOf(windows))},
                 {"ceil_mode", ceil_mode},
                 {"data_format", std::string(spatial == 3 ? "NCDHW" : "NCHW")},
                 {"dtype", static_cast<int64_t>(DataType::kInt64)}},
                2);
  const Value within = Ordered(f, y[1], x, spatial, order == 1);
  Value plane = f.Dim(x, 2);
  for (size_t i = 1; i < spatial; ++i) {
    plane = f("Mul", {plane, f.Dim(x, static_cast<int64_t>(2 + i))});
  }
  const Value batch = f.Dim(x, 0), channels = f.Dim(x, 1);
  const Value first = f("Mul", {f.Iota(f("Mul", {batch, channels})), plane});
  std::vector<Value> places = {batch, channels};
  places.resize(2 + spatial, f.Ints({1}));
  y[1] = f("Add", {within, f.ReshapeTo(first, places)});
  for (size_t i = 0; i < 2; ++i) op.SetOutput(i, is_1d ? f.Squeeze(y[i], {3}) : y[i]);
  return f.status();
}

}  // namespace ge::onnx
