#include "kernels/layout.h"

#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/box.h"
#include "kernels/convert.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Elements of the dims first to last - 1; 1 when there are none.
int64_t Product(const Shape& shape, size_t first, size_t last) {
  int64_t product = 1;
  for (size_t axis = first; axis < last; ++axis) product *= shape[axis];
  return product;
}

uint8_t* At(const HostTensor& tensor, int64_t bytes) {
  return tensor.as<uint8_t>() + bytes;
}

// Copies `count` runs of `bytes`, which are from_step and to_step apart.
void CopyRuns(const uint8_t* from, int64_t from_step, uint8_t* to, int64_t to_step, int64_t count,
              int64_t bytes) {
  if (bytes == 0) return;
  ParallelFor(count, std::max<int64_t>(32768 / bytes, 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const uint8_t* source = from + i * from_step;
      uint8_t* target = to + i * to_step;
      switch (bytes) {  // a fixed size is a move, not a call
        case 4:
          std::memcpy(target, source, 4);
          break;
        case 8:
          std::memcpy(target, source, 8);
          break;
        default:
          std::memcpy(target, source, static_cast<size_t>(bytes));
      }
    }
  });
}

// Cuts input x along `axis` into the outputs, in order; their sizes are in their shapes.
Status Cut(KernelContext& ctx, const HostTensor& x, int64_t axis) {
  const std::optional<size_t> width = ElementBytes(x.dtype);
  if (!width) return ctx.NotBuilt();
  const std::optional<size_t> index = NormalizeAxis(axis, x.shape.rank());
  if (!index) return ctx.Fail("axis " + std::to_string(axis) + " is outside " + x.shape.ToString());
  const int64_t outer = Product(x.shape, 0, *index);
  const int64_t inner = Product(x.shape, *index + 1, x.shape.rank()) * static_cast<int64_t>(*width);
  const int64_t row = x.shape[*index] * inner;
  int64_t begin = 0;
  for (const HostTensor& out : ctx.outputs) {
    const int64_t bytes = out.shape[*index] * inner;
    if (begin + bytes > row) return ctx.Fail("the outputs are larger than " + x.shape.ToString());
    CopyRuns(At(x, begin), row, At(out, 0), bytes, outer, bytes);
    begin += bytes;
  }
  return Status::Ok();
}

}  // namespace

Status Expand(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  if (!width) return ctx.NotBuilt();
  const std::vector<int64_t> strides = StridesOf(x.shape);
  const Shape& out = ctx.outputs[0].shape;
  const size_t added = out.rank() - x.shape.rank();
  std::vector<AxisOffsets> axes;
  for (size_t axis = 0; axis < out.rank(); ++axis) {
    const bool repeated = axis < added || x.shape[axis - added] == 1;
    axes.push_back(SteppedOffsets(0, 1, out[axis], repeated ? 0 : strides[axis - added]));
  }
  GatherBox(x.data, axes, *width, nullptr, ctx.outputs[0].data);
  return Status::Ok();
}

Status Tile(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  if (!width) return ctx.NotBuilt();
  const std::vector<int64_t> strides = StridesOf(x.shape);
  std::vector<AxisOffsets> axes;
  for (size_t axis = 0; axis < x.shape.rank(); ++axis) {
    AxisOffsets offsets(static_cast<size_t>(ctx.outputs[0].shape[axis]));
    for (size_t i = 0; i < offsets.size(); ++i) {
      offsets[i] = static_cast<int64_t>(i) % x.shape[axis] * strides[axis];
    }
    axes.push_back(std::move(offsets));
  }
  GatherBox(x.data, axes, *width, nullptr, ctx.outputs[0].data);
  return Status::Ok();
}

Status Fill(KernelContext& ctx) {
  const HostTensor& value = ctx.inputs[1];
  const std::optional<size_t> width = ElementBytes(value.dtype);
  if (!width) return ctx.NotBuilt();
  GatherBox(value.data, {AxisOffsets(static_cast<size_t>(ctx.outputs[0].elements()), 0)}, *width,
            nullptr, ctx.outputs[0].data);
  return Status::Ok();
}

Status ConcatD(KernelContext& ctx) {
  const HostTensor& out = ctx.outputs[0];
  const std::optional<size_t> width = ElementBytes(out.dtype);
  if (!width) return ctx.NotBuilt();
  const std::optional<size_t> axis = NormalizeAxis(ctx.attrs.Int("concat_dim"), out.shape.rank());
  if (!axis) return ctx.Fail("concat_dim is outside " + out.shape.ToString());
  const int64_t outer = Product(out.shape, 0, *axis);
  const int64_t inner =
      Product(out.shape, *axis + 1, out.shape.rank()) * static_cast<int64_t>(*width);
  const int64_t row = out.shape[*axis] * inner;
  int64_t begin = 0;
  for (const HostTensor& x : ctx.inputs) {
    if (x.elements() == 0) continue;
    const int64_t bytes = x.shape[*axis] * inner;
    CopyRuns(At(x, 0), bytes, At(out, begin), row, outer, bytes);
    begin += bytes;
  }
  return Status::Ok();
}

Status Split(KernelContext& ctx) {
  const std::optional<std::vector<int64_t>> axis = ToInts(ctx.inputs[0]);
  if (!axis || axis->size() != 1) return ctx.NotBuilt();
  return Cut(ctx, ctx.inputs[1], axis->front());
}

Status SplitV(KernelContext& ctx) {
  const std::optional<std::vector<int64_t>> axis = ToInts(ctx.inputs[2]);
  if (!axis || axis->size() != 1) return ctx.NotBuilt();
  return Cut(ctx, ctx.inputs[0], axis->front());
}

Status Reverse(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> named = ToInts(ctx.inputs[1]);
  if (!width || !named) return ctx.NotBuilt();
  std::vector<bool> turns(x.shape.rank());
  for (const int64_t axis : *named) {
    const std::optional<size_t> index = NormalizeAxis(axis, turns.size());
    if (!index || turns[*index]) {
      return ctx.Fail("axis " + std::to_string(axis) +
                      (index ? " is named twice" : " is outside ") +
                      (index ? "" : x.shape.ToString()));
    }
    turns[*index] = true;
  }
  const std::vector<int64_t> strides = StridesOf(x.shape);
  std::vector<AxisOffsets> axes;
  for (size_t axis = 0; axis < turns.size(); ++axis) {
    const int64_t size = x.shape[axis];
    axes.push_back(
        SteppedOffsets(turns[axis] ? size - 1 : 0, turns[axis] ? -1 : 1, size, strides[axis]));
  }
  GatherBox(x.data, axes, *width, nullptr, ctx.outputs[0].data);
  return Status::Ok();
}

Status ReverseSequence(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> lengths = ToInts(ctx.inputs[1]);
  const size_t rank = x.shape.rank();
  const std::optional<size_t> time = NormalizeAxis(ctx.attrs.Int("seq_dim"), rank);
  const std::optional<size_t> batch = NormalizeAxis(ctx.attrs.Int("batch_dim"), rank);
  if (!width || !lengths || !time || !batch) return ctx.NotBuilt();
  for (const int64_t length : *lengths) {
    if (length < 0 || length > x.shape[*time]) {
      return ctx.Fail("sequence length " + std::to_string(length) + " is outside axis " +
                      std::to_string(*time) + " of " + x.shape.ToString());
    }
  }
  const std::vector<int64_t> strides = StridesOf(x.shape);
  const int64_t count = x.elements();
  IndexCounter at(x.shape);
  for (int64_t i = 0; i < count; ++i, at.Next()) {
    const int64_t length = (*lengths)[static_cast<size_t>(at[*batch])];
    const int64_t step = at[*time];
    const int64_t from = step < length ? i + (length - 1 - 2 * step) * strides[*time] : i;
    std::memcpy(At(ctx.outputs[0], i * static_cast<int64_t>(*width)),
                At(x, from * static_cast<int64_t>(*width)), *width);
  }
  return Status::Ok();
}

}  // namespace ge::kernels
