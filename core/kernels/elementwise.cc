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

template <typename T>
void Map2(const KernelContext& ctx, const FloatLoop2& loop) {
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
