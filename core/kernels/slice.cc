#include "kernels/slice.h"

#include <algorithm>

#include "kernels/box.h"
#include "kernels/convert.h"
#include "ops/op_impl.h"

namespace ge {

AxisSlice ClampSlice(int64_t dim, int64_t begin, int64_t end, int64_t step) {
  if (begin < 0) begin += dim;
  if (end < 0) end += dim;
  // A backward slice may end before the first element.
  const int64_t low = step > 0 ? 0 : -1;
  const int64_t high = step > 0 ? dim : dim - 1;
  begin = std::clamp<int64_t>(begin, step > 0 ? 0 : std::min<int64_t>(0, high), high);
  end = std::clamp<int64_t>(end, low, high);
  const int64_t distance = step > 0 ? end - begin : begin - end;
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
  AxisSlice slice{begin, step, 0};
  if (distance > 0) {
    slice.count = static_cast<int64_t>((static_cast<uint64_t>(distance) - 1) / stride) + 1;
  }
  if (slice.count <= 1) slice.step = 1;  // so that no one multiplies with a step beyond the axis
  return slice;
}

namespace kernels {
namespace {

// Where the padded axis reads: the `size` elements from `first` on are the ones that are kept, and
// `mode` extends them on both sides.
AxisOffsets PaddedOffsets(const std::string& mode, int64_t before, int64_t first, int64_t size,
                          int64_t count, int64_t stride) {
  AxisOffsets offsets(static_cast<size_t>(count), kOutside);
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = i - before;  // in the kept elements
    if (at < 0 || at >= size) {
      if (mode == "constant" || size == 0) continue;
      if (mode == "edge") {
        at = std::clamp<int64_t>(at, 0, size - 1);
      } else {
        const int64_t period = mode == "wrap" ? size : std::max<int64_t>(2 * (size - 1), 1);
        at = (at % period + period) % period;
        if (at >= size) at = period - at;  // reflect: on the way back
      }
    }
    offsets[static_cast<size_t>(i)] = (first + at) * stride;
  }
  return offsets;
}

}  // namespace

Status StridedSlice(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> begin = ToInts(ctx.inputs[1]);
  const std::optional<std::vector<int64_t>> end = ToInts(ctx.inputs[2]);
  if (!width || !begin || !end) return ctx.NotBuilt();
  const auto list = [&](size_t i) {
    return ctx.has_input(i) ? ToInts(ctx.inputs[i]) : std::nullopt;
  };
  const std::optional<std::vector<int64_t>> named = list(3);
  const std::optional<std::vector<int64_t>> steps = list(4);
  const std::vector<int64_t> strides = StridesOf(x.shape);
  std::vector<AxisOffsets> axes;
  for (size_t axis = 0; axis < x.shape.rank(); ++axis) {
    axes.push_back(SteppedOffsets(0, 1, x.shape[axis], strides[axis]));
  }
  for (size_t i = 0; i < begin->size(); ++i) {
    const std::optional<size_t> axis =
        NormalizeAxis(named ? (*named)[i] : static_cast<int64_t>(i), x.shape.rank());
    if (!axis) return ctx.Fail("an axis is outside " + x.shape.ToString());
    const int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0) return ctx.Fail("a stride is 0");
    const AxisSlice slice = ClampSlice(x.shape[*axis], (*begin)[i], (*end)[i], step);
    axes[*axis] = SteppedOffsets(slice.first, slice.step, slice.count, strides[*axis]);
  }
  GatherBox(x.data, axes, *width, nullptr, ctx.outputs[0].data);
  return Status::Ok();
}

Status Slice(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &y = ctx.outputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> offsets = ToInts(ctx.inputs[1]);
  if (!width || !offsets) return ctx.NotBuilt();
  const std::vector<int64_t> strides = StridesOf(x.shape);
  std::vector<AxisOffsets> axes;
  for (size_t axis = 0; axis < x.shape.rank(); ++axis) {
    axes.push_back(SteppedOffsets((*offsets)[axis], 1, y.shape[axis], strides[axis]));
  }
  GatherBox(x.data, axes, *width, nullptr, y.data);
  return Status::Ok();
}

Status Pad(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> pads = ToInts(ctx.inputs[1]);
  if (!width || !pads) return ctx.NotBuilt();
  const size_t rank = x.shape.rank();
  const bool paired = ctx.attrs.Bool("paddings_contiguous");
  const std::string mode = ctx.attrs.Str("mode");
  const std::vector<int64_t> strides = StridesOf(x.shape);
  std::vector<AxisOffsets> axes;
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t before = (*pads)[paired ? 2 * axis : axis];
    const int64_t after = (*pads)[paired ? 2 * axis + 1 : rank + axis];
    // A negative pad cuts elements off; the other side then extends what is left.
    const int64_t first = before < 0 ? -before : 0;
    const int64_t size = x.shape[axis] - first - (after < 0 ? -after : 0);
    axes.push_back(PaddedOffsets(mode, std::max<int64_t>(before, 0), first, size,
                                 ctx.outputs[0].shape[axis], strides[axis]));
  }
  const uint64_t zeros[2] = {0, 0};
  const void* fill = ctx.has_input(2) ? ctx.inputs[2].data : zeros;
  GatherBox(x.data, axes, *width, fill, ctx.outputs[0].data);
  return Status::Ok();
}

}  // namespace kernels
}  // namespace ge
