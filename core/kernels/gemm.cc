#include "kernels/gemm.h"

#include <cstring>

namespace ge::gemm {
namespace {

// Vectors of 32 bytes; the compiler splits them where the processor has shorter ones.
template <typename C>
struct VectorOf {
  typedef C type __attribute__((vector_size(32)));
};

template <typename C>
[[gnu::always_inline]] inline void AddTileInline(int64_t depth, const C* a, const C* b, C* acc,
                                                 int64_t stride) {
  using Vector = typename VectorOf<C>::type;
  constexpr int64_t kLanes = sizeof(Vector) / sizeof(C);
  Vector sums[kRows][2] = {};
  for (int64_t k = 0; k < depth; ++k, a += kRows, b += 2 * kLanes) {
    Vector b0, b1;
    std::memcpy(&b0, b, sizeof(Vector));
    std::memcpy(&b1, b + kLanes, sizeof(Vector));
#pragma GCC unroll 6
    for (int64_t r = 0; r < kRows; ++r) {
      sums[r][0] += a[r] * b0;
      sums[r][1] += a[r] * b1;
    }
  }
#pragma GCC unroll 6
  for (int64_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int64_t v = 0; v < 2; ++v) {
      Vector sum;
      std::memcpy(&sum, acc + r * stride + v * kLanes, sizeof(Vector));
      sum += sums[r][v];
      std::memcpy(acc + r * stride + v * kLanes, &sum, sizeof(Vector));
    }
  }
}

#if defined(__x86_64__)
// Without "fma": its rounding would differ from that of other processors.
template <typename C>
[[gnu::target("avx2")]] void AddTileAvx2(int64_t depth, const C* a, const C* b, C* acc,
                                         int64_t stride) {
  AddTileInline(depth, a, b, acc, stride);
}
const bool has_avx2 = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") != 0;
}();
#endif

}  // namespace

template <typename C>
void AddTile(int64_t depth, const C* a, const C* b, C* acc, int64_t stride) {
#if defined(__x86_64__)
  if (has_avx2) {
    AddTileAvx2(depth, a, b, acc, stride);
    return;
  }
#endif
  AddTileInline(depth, a, b, acc, stride);
}
template void AddTile(int64_t, const float*, const float*, float*, int64_t);
template void AddTile(int64_t, const double*, const double*, double*, int64_t);
template void AddTile(int64_t, const uint32_t*, const uint32_t*, uint32_t*, int64_t);
template void AddTile(int64_t, const uint64_t*, const uint64_t*, uint64_t*, int64_t);

BlockSizes ChooseBlocks(const Sizes& sizes, int64_t element_bytes) {
  // Three pieces of rows x depth, depth x columns and rows x columns in the second-level cache.
  const int64_t wide = 64 / element_bytes;
  int64_t rows = element_bytes > 4 ? 120 : 240;
  int64_t columns = 1024 / element_bytes;
  const auto round_up = [](int64_t value, int64_t unit) {
    return (value + unit - 1) / unit * unit;
  };
  rows = std::min(rows, round_up(sizes.m, kRows));
  columns = std::min(columns, round_up(sizes.n, wide));
  const int64_t threads = ThreadCount();
  const auto blocks = [&] {
    return sizes.batches * ((sizes.m + rows - 1) / rows) * ((sizes.n + columns - 1) / columns);
  };
  // Enough blocks for every thread, but not so small that packing outweighs multiplying.
  while (threads > 1 && blocks() < 3 * threads) {
    if (columns > 4 * wide) {
      columns = round_up(columns / 2, wide);
    } else if (rows > 8 * kRows) {
      rows = round_up(rows / 2, kRows);
    } else {
      break;
    }
  }
  return {rows, columns};
}

}  // namespace ge::gemm
