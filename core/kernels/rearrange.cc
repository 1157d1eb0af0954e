#include <algorithm>
#include <cstring>

#include "base/parallel.h"
#include "kernels/box.h"
#include "kernels/simd.h"

namespace ge {
namespace {

using Axis = StridedAxis;

// Neighbours that stay neighbours are joined.
std::vector<Axis> Joined(const std::vector<Axis>& given) {
  std::vector<Axis> axes;
  for (const Axis& axis : given) {
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

// Four rows of four elements become columns.
GE_INLINE inline void TurnBlock(const uint32_t* in, int64_t in_stride, uint32_t* out,
                                int64_t out_stride) {
  typedef uint32_t Four __attribute__((vector_size(16)));
  Four row[4];
  for (int j = 0; j < 4; ++j) std::memcpy(&row[j], in + j * in_stride, sizeof(Four));
  const Four low01 = __builtin_shuffle(row[0], row[1], Four{0, 4, 1, 5});
  const Four high01 = __builtin_shuffle(row[0], row[1], Four{2, 6, 3, 7});
  const Four low23 = __builtin_shuffle(row[2], row[3], Four{0, 4, 1, 5});
  const Four high23 = __builtin_shuffle(row[2], row[3], Four{2, 6, 3, 7});
  const Four column[4] = {__builtin_shuffle(low01, low23, Four{0, 1, 4, 5}),
                          __builtin_shuffle(low01, low23, Four{2, 3, 6, 7}),
                          __builtin_shuffle(high01, high23, Four{0, 1, 4, 5}),
                          __builtin_shuffle(high01, high23, Four{2, 3, 6, 7})};
  for (int i = 0; i < 4; ++i) std::memcpy(out + i * out_stride, &column[i], sizeof(Four));
}

// out[i][j] = in[j][i] for a tile of `rows` x `columns`.
template <typename T>
void TurnTile(const T* in, int64_t in_stride, T* out, int64_t out_stride, int64_t rows,
              int64_t columns) {
  if (columns == 2 && out_stride == 2) {  // two rows are zipped
    const T* second = in + in_stride;
    for (int64_t i = 0; i < rows; ++i) {
      out[2 * i] = in[i];
      out[2 * i + 1] = second[i];
    }
    return;
  }
  if (rows == 2 && in_stride == 2) {
    T* second = out + out_stride;
    for (int64_t j = 0; j < columns; ++j) {
      out[j] = in[2 * j];
      second[j] = in[2 * j + 1];
    }
    return;
  }
  int64_t row = 0;
  if constexpr (sizeof(T) == 4) {
    for (; row + 4 <= rows; row += 4) {
      int64_t column = 0;
      for (; column + 4 <= columns; column += 4) {
        TurnBlock(in + column * in_stride + row, in_stride, out + row * out_stride + column,
                  out_stride);
      }
      for (int64_t i = row; i < row + 4; ++i) {
        for (int64_t j = column; j < columns; ++j) out[i * out_stride + j] = in[j * in_stride + i];
      }
    }
  }
  for (; row < rows; ++row) {
    for (int64_t j = 0; j < columns; ++j) out[row * out_stride + j] = in[j * in_stride + row];
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
  const int64_t tile = std::max(kTile, 1024 / last.size);   // rows
  const int64_t width = std::max(kTile, 1024 / rows.size);  // columns
  const int64_t bands = (rows.size + tile - 1) / tile;
  const int64_t grain = std::max<int64_t>(8192 / (std::min(tile, rows.size) * last.size), 1);
  ParallelFor(planes * bands, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t plane = i / bands, from = 0, to = 0;
      for (size_t axis = axes.size() - 1; axis-- > 0;) {
        if (axis == inner) continue;
        from += plane % axes[axis].size * axes[axis].stride;
        to += plane % axes[axis].size * out_strides[axis];
        plane /= axes[axis].size;
      }
      const int64_t row = i % bands * tile;
      const int64_t height = std::min(tile, rows.size - row);
      for (int64_t column = 0; column < last.size; column += width) {
        TurnTile(in + from + row + column * last.stride, last.stride,
                 out + to + row * out_strides[inner] + column, out_strides[inner], height,
                 std::min(width, last.size - column));
      }
    }
  });
}

}  // namespace

void Rearrange(const void* in, const std::vector<StridedAxis>& given, size_t width, void* out) {
  if (std::any_of(given.begin(), given.end(), [](const Axis& axis) { return axis.size == 0; })) {
    return;
  }
  const std::vector<Axis> axes = Joined(given);
  size_t inner = 0;
  while (inner + 1 < axes.size() && axes[inner].stride != 1) ++inner;
  if (inner + 1 >= axes.size() || width > 8) {  // runs of elements keep their order
    std::vector<AxisOffsets> offsets;
    for (const Axis& axis : axes) {
      offsets.push_back(SteppedOffsets(0, 1, axis.size, axis.stride));
    }
    return GatherBox(in, offsets, width, nullptr, out);
  }
  const auto turn = [&]<typename T>(T) {
    Turn(static_cast<const T*>(in), axes, inner, static_cast<T*>(out));
  };
  switch (width) {
    case 1:
      return turn(uint8_t());
    case 2:
      return turn(uint16_t());
    case 4:
      return turn(uint32_t());
    default:
      return turn(uint64_t());
  }
}

}  // namespace ge
