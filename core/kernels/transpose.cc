#include <algorithm>

#include "base/parallel.h"
#include "kernels/box.h"
#include "kernels/convert.h"
#include "kernels/layout.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// An axis of the output: its length, and how far apart its elements are in the input.
struct Axis {
  int64_t size;
  int64_t stride;
};

// The axes in the order of the output, neighbours that stay neighbours joined.
std::vector<Axis> JoinedAxes(const Shape& shape, const std::vector<size_t>& perm) {
  const std::vector<int64_t> strides = StridesOf(shape);
  std::vector<Axis> axes;
  for (const size_t from : perm) {
    const Axis axis = {shape[from], strides[from]};
    if (axis.size == 1) continue;
    if (!axes.empty() && axes.back().stride == axis.stride * axis.size) {
      axes.back() = {axes.back().size * axis.size, axis.stride};
    } else {
      axes.push_back(axis);
    }
  }
  return axes;
}

constexpr int64_t kTile = 32;  // rows and columns that are turned at a time, to stay in the cache

// out[i][j] = in[j][i] for a tile of `rows` x `columns`.
template <typename T>
void TurnTile(const T* in, int64_t in_stride, T* out, int64_t out_stride, int64_t rows,
              int64_t columns) {
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) out[i * out_stride + j] = in[j * in_stride + i];
  }
}

// The last axis of the input is axis `inner` of the output, and not the last.
template <typename T>
void Turn(const T* in, const std::vector<Axis>& axes, size_t inner, T* out) {
  const Axis last = axes.back(), rows = axes[inner];
  std::vector<int64_t> out_strides(axes.size(), 1);
  for (size_t axis = axes.size() - 1; axis-- > 0;) {
    out_strides[axis] = out_strides[axis + 1] * axes[axis + 1].size;
  }
  int64_t planes = 1;
  for (size_t axis = 0; axis + 1 < axes.size(); ++axis) {
    if (axis != inner) planes *= axes[axis].size;
  }
  const int64_t bands = (rows.size + kTile - 1) / kTile;
  const int64_t grain = std::max<int64_t>(8192 / (kTile * last.size), 1);
  ParallelFor(planes * bands, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t plane = i / bands, from = 0, to = 0;
      for (size_t axis = axes.size() - 1; axis-- > 0;) {
        if (axis == inner) continue;
        from += plane % axes[axis].size * axes[axis].stride;
        to += plane % axes[axis].size * out_strides[axis];
        plane /= axes[axis].size;
      }
      const int64_t row = i % bands * kTile;
      const int64_t height = std::min(kTile, rows.size - row);
      for (int64_t column = 0; column < last.size; column += kTile) {
        TurnTile(in + from + row + column * last.stride, last.stride,
                 out + to + row * out_strides[inner] + column, out_strides[inner], height,
                 std::min(kTile, last.size - column));
      }
    }
  });
}

}  // namespace

Status Transpose(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  void* out = ctx.outputs[0].data;
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> given = ToInts(ctx.inputs[1]);
  if (!width || !given) return ctx.NotBuilt();
  std::vector<size_t> perm;
  for (const int64_t from : *given) {
    const std::optional<size_t> axis = NormalizeAxis(from, x.shape.rank());
    if (!axis) {
      return ctx.Fail("perm names axis " + std::to_string(from) + " of " + x.shape.ToString());
    }
    perm.push_back(*axis);
  }
  if (x.elements() == 0) return Status::Ok();
  const std::vector<Axis> axes = JoinedAxes(x.shape, perm);
  size_t inner = 0;
  while (inner + 1 < axes.size() && axes[inner].stride != 1) ++inner;
  if (inner + 1 >= axes.size() || *width > 8) {  // runs of elements keep their order
    std::vector<AxisOffsets> offsets;
    for (const Axis& axis : axes) {
      offsets.push_back(SteppedOffsets(0, 1, axis.size, axis.stride));
    }
    GatherBox(x.data, offsets, *width, nullptr, out);
    return Status::Ok();
  }
  switch (*width) {
    case 1:
      Turn(x.as<uint8_t>(), axes, inner, static_cast<uint8_t*>(out));
      break;
    case 2:
      Turn(x.as<uint16_t>(), axes, inner, static_cast<uint16_t*>(out));
      break;
    case 4:
      Turn(x.as<uint32_t>(), axes, inner, static_cast<uint32_t*>(out));
      break;
    default:
      Turn(x.as<uint64_t>(), axes, inner, static_cast<uint64_t*>(out));
      break;
  }
  return Status::Ok();
}

}  // namespace ge::kernels
