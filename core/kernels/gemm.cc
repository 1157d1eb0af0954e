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

template <typename C>
[[gnu::always_inline]] inline void AddRowsInline(int64_t count, const C* factors,
                                                 const C* const* rows, C* sums, int64_t ahead) {
  using Vector = typename VectorOf<C>::type;
  constexpr int64_t kLanes = sizeof(Vector) / sizeof(C), kStep = 2 * kLanes;  // a cache line
  const C f0 = factors[0], f1 = factors[1], f2 = factors[2], f3 = factors[3];
  const C *const r0 = rows[0], *const r1 = rows[1], *const r2 = rows[2], *const r3 = rows[3];
  int64_t i = 0;
  for (; i + kStep <= count; i += kStep) {
    for (int64_t row = 0; ahead != 0 && row < kRowsAtOnce; ++row) {
      __builtin_prefetch(rows[row] + i + ahead);
    }
#pragma GCC unroll 2
    for (int64_t at = i; at < i + kStep; at += kLanes) {
      Vector sum, x0, x1, x2, x3;
      std::memcpy(&sum, sums + at, sizeof(Vector));
      std::memcpy(&x0, r0 + at, sizeof(Vector));
      std::memcpy(&x1, r1 + at, sizeof(Vector));
      std::memcpy(&x2, r2 + at, sizeof(Vector));
      std::memcpy(&x3, r3 + at, sizeof(Vector));
      sum = sum + f0 * x0 + f1 * x1 + f2 * x2 + f3 * x3;
      std::memcpy(sums + at, &sum, sizeof(Vector));
    }
  }
  for (; i < count; ++i) {
    sums[i] = sums[i] + f0 * r0[i] + f1 * r1[i] + f2 * r2[i] + f3 * r3[i];
  }
}

// Several matrix columns at once: memory is read faster in several streams.
template <typename C, int kCount>
[[gnu::always_inline]] inline void DotInline(int64_t size, const C* x, const C* y, int64_t step,
                                             C* results) {
  using Vector = typename VectorOf<C>::type;
  constexpr int64_t kLanes = sizeof(Vector) / sizeof(C), kStep = 2 * kLanes;
  Vector sums[kCount][2] = {};
  int64_t i = 0;
  for (; i + kStep <= size; i += kStep) {
    Vector x0, x1;
    std::memcpy(&x0, x + i, sizeof(Vector));
    std::memcpy(&x1, x + i + kLanes, sizeof(Vector));
#pragma GCC unroll 4
    for (int64_t c = 0; c < kCount; ++c) {
      Vector y0, y1;
      std::memcpy(&y0, y + c * step + i, sizeof(Vector));
      std::memcpy(&y1, y + c * step + i + kLanes, sizeof(Vector));
      sums[c][0] += x0 * y0;
      sums[c][1] += x1 * y1;
    }
  }
  for (int64_t c = 0; c < kCount; ++c) {
    const Vector both = sums[c][0] + sums[c][1];
    C sum{};
    for (int64_t lane = 0; lane < kLanes; ++lane) sum += both[lane];
    for (int64_t rest = i; rest < size; ++rest) sum += x[rest] * y[c * step + rest];
    results[c] = sum;
  }
}

template <typename C>
[[gnu::always_inline]] inline void DotsInline(int64_t size, const C* x, const C* y, int64_t step,
                                              int64_t count, C* results) {
  int64_t c = 0;
  for (; c + 4 <= count; c += 4) DotInline<C, 4>(size, x, y + c * step, step, results + c);
  for (; c < count; ++c) DotInline<C, 1>(size, x, y + c * step, step, results + c);
}

#if defined(__x86_64__)
// Without "fma": its rounding would differ from that of other processors.
template <typename C>
[[gnu::target("avx2")]] void AddTileAvx2(int64_t depth, const C* a, const C* b, C* acc,
                                         int64_t stride) {
  AddTileInline(depth, a, b, acc, stride);
}
template <typename C>
[[gnu::target("avx2")]] void AddRowsAvx2(int64_t count, const C* factors, const C* const* rows,
                                         C* sums, int64_t ahead) {
  AddRowsInline(count, factors, rows, sums, ahead);
}
template <typename C>
[[gnu::target("avx2")]] void DotsAvx2(int64_t size, const C* x, const C* y, int64_t step,
                                      int64_t count, C* results) {
  DotsInline(size, x, y, step, count, results);
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

template <typename C>
void AddRows(int64_t count, const C* factors, const C* const* rows, C* sums, int64_t ahead) {
#if defined(__x86_64__)
  if (has_avx2) {
    AddRowsAvx2(count, factors, rows, sums, ahead);
    return;
  }
#endif
  AddRowsInline(count, factors, rows, sums, ahead);
}
template void AddRows(int64_t, const float*, const float* const*, float*, int64_t);
template void AddRows(int64_t, const double*, const double* const*, double*, int64_t);
template void AddRows(int64_t, const uint32_t*, const uint32_t* const*, uint32_t*, int64_t);
template void AddRows(int64_t, const uint64_t*, const uint64_t* const*, uint64_t*, int64_t);

template <typename C>
void Dots(int64_t size, const C* x, const C* y, int64_t step, int64_t count, C* results) {
#if defined(__x86_64__)
  if (has_avx2) {
    DotsAvx2(size, x, y, step, count, results);
    return;
  }
#endif
  DotsInline(size, x, y, step, count, results);
}
template void Dots(int64_t, const float*, const float*, int64_t, int64_t, float*);
template void Dots(int64_t, const double*, const double*, int64_t, int64_t, double*);
template void Dots(int64_t, const uint32_t*, const uint32_t*, int64_t, int64_t, uint32_t*);
template void Dots(int64_t, const uint64_t*, const uint64_t*, int64_t, int64_t, uint64_t*);

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
