#include "kernels/elementwise.h"

#include <algorithm>

#include "kernels/half_rows.h"

namespace ge {
namespace {

constexpr int64_t kBlock = 1024;  // elements that are widened at a time

template <typename T>
void Map1(const KernelContext& ctx, const FloatLoop1& loop) {
  const T* x = ctx.inputs[0].as<T>();
  T* out = ctx.outputs[0].as<T>();
  ParallelFor(ctx.outputs[0].elements(), kElementGrain, [&](int64_t begin, int64_t end) {
    if constexpr (std::is_same_v<T, float>) {
      loop.run(loop.f, x + begin, out + begin, end - begin);
    } else {
      float block[kBlock];
      for (int64_t at = begin; at < end; at += kBlock) {
        const int64_t count = std::min(kBlock, end - at);
        WidenRow(x + at, block, count);
        loop.run(loop.f, block, block, count);
        NarrowRow(block, out + at, count);
      }
    }
  });
}

// Whether `row` repeats along all leading axes of `whole`: [3, 2] in [.., 3, 2].
bool RepeatsIn(const Shape& row, const Shape& whole) {
  if (row.rank() > whole.rank()) return false;
  bool has_ended = false;  // all axes in front must be 1
  for (size_t back = 1; back <= row.rank(); ++back) {
    const int64_t dim = row[row.rank() - back];
    has_ended |= dim != whole[whole.rank() - back];
    if (has_ended && dim != 1) return false;
  }
  return true;
}

template <typename T>
void ToFloats(const T* from, float* to, int64_t count) {
  if constexpr (std::is_same_v<T, float>) {
    std::copy_n(from, count, to);
  } else {
    WidenRow(from, to, count);
  }
}

// An operand of few elements that repeats beside a large one, as scales of channels do, is written
// out several times, so that a call of the loop does many rows.
template <typename T>
bool MapShortRows(const KernelContext& ctx, const FloatLoop2& loop) {
  constexpr int64_t kLeast = 4 * kBlock, kLongest = kBlock / 4;
  const Shape& shape = ctx.outputs[0].shape;
  const int64_t count = ctx.outputs[0].elements();
  for (const size_t row : {size_t{1}, size_t{0}}) {
    const HostTensor& whole = ctx.inputs[1 - row];
    const int64_t length = ctx.inputs[row].elements();
    const bool is_short = length > 1 && length <= kLongest && count >= kLeast;
    if (!is_short || whole.shape != shape || !RepeatsIn(ctx.inputs[row].shape, shape)) continue;
    float repeated[kBlock];
    const int64_t wide = kBlock / length * length;
    ToFloats(ctx.inputs[row].as<T>(), repeated, length);
    for (int64_t i = length; i < wide; ++i) repeated[i] = repeated[i - length];
    const T* x = whole.as<T>();
    T* out = ctx.outputs[0].as<T>();
    ParallelFor(count / length, kElementGrain / length, [&](int64_t begin, int64_t end) {
      for (int64_t at = begin * length; at < end * length; at += wide) {
        const int64_t here = std::min(wide, end * length - at);
        const auto run = [&](const float* from, float* to) {
          loop.run(loop.f, row == 1 ? from : repeated, 1, row == 1 ? repeated : from, 1, to, here);
        };
        if constexpr (std::is_same_v<T, float>) {
          run(x + at, out + at);
        } else {
          float block[kBlock];
          WidenRow(x + at, block, here);
          run(block, block);
          NarrowRow(block, out + at, here);
        }
      }
    });
    return true;
  }
  return false;
}

template <typename T>
void Map2(const KernelContext& ctx, const FloatLoop2& loop) {
  if (MapShortRows<T>(ctx, loop)) return;
  ForRows(ctx.outputs[0].shape, ctx.inputs, kElementGrain, [&](const RowPart& row) {
    const T* x = ctx.inputs[0].as<T>() + row.start[0];
    const T* y = ctx.inputs[1].as<T>() + row.start[1];
    T* out = ctx.outputs[0].as<T>() + row.out;
    if constexpr (std::is_same_v<T, float>) {
      loop.run(loop.f, x, row.step[0], y, row.step[1], out, row.size);
    } else {
      float x_block[kBlock], y_block[kBlock];
      for (int64_t at = 0; at < row.size; at += kBlock) {
        const int64_t count = std::min(kBlock, row.size - at);
        WidenRow(x + at * row.step[0], x_block, row.step[0] == 0 ? 1 : count);
        WidenRow(y + at * row.step[1], y_block, row.step[1] == 0 ? 1 : count);
        loop.run(loop.f, x_block, row.step[0], y_block, row.step[1], x_block, count);
        NarrowRow(x_block, out + at, count);
      }
    }
  });
}

}  // namespace

void MapFloats(const KernelContext& ctx, const FloatLoop1& loop) {
  switch (ctx.inputs[0].dtype) {
    case DataType::kFloat16:
      return Map1<Half>(ctx, loop);
    case DataType::kBf16:
      return Map1<Bf16>(ctx, loop);
    default:
      return Map1<float>(ctx, loop);
  }
}

void MapFloats(const KernelContext& ctx, const FloatLoop2& loop) {
  switch (ctx.inputs[0].dtype) {
    case DataType::kFloat16:
      return Map2<Half>(ctx, loop);
    case DataType::kBf16:
      return Map2<Bf16>(ctx, loop);
    default:
      return Map2<float>(ctx, loop);
  }
}

}  // namespace ge
