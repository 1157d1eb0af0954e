#include "kernels/row_dots.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/simd.h"

namespace ge {
namespace {

constexpr int64_t kLanes = 8;
constexpr int64_t kWork = 65536;  // multiplications worth a thread

// `kRows` rows of a times `kColumns` rows of b; the accumulators stay in registers.
template <int kRows, int kColumns, typename T>
GE_INLINE inline void Tile(const T* a, const T* b, int64_t depth, T* c, int64_t c_stride) {
  typedef T Vector __attribute__((vector_size(kLanes * sizeof(T)), aligned(alignof(T)), may_alias));
  Vector sums[kRows][kColumns] = {};
  int64_t k = 0;
  for (; k + kLanes <= depth; k += kLanes) {
    for (int i = 0; i < kRows; ++i) {
      for (int j = 0; j < kColumns; ++j) {
        sums[i][j] += *reinterpret_cast<const Vector*>(a + i * depth + k) *
                      *reinterpret_cast<const Vector*>(b + j * depth + k);
      }
    }
  }
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j < kColumns; ++j) {
      const Vector& sum = sums[i][j];
      T total = ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
      for (int64_t rest = k; rest < depth; ++rest)
        total += a[i * depth + rest] * b[j * depth + rest];
      c[i * c_stride + j] = total;
    }
  }
}

template <typename T>
GE_INLINE inline void Columns(const T* a, int64_t rows, const T* b, int64_t count, int64_t depth,
                              T* c, int64_t c_stride) {
  int64_t j = 0;
  for (; j + 4 <= count; j += 4) {
    const T* from = b + j * depth;
    int64_t i = 0;
    for (; i + 2 <= rows; i += 2) {
      Tile<2, 4>(a + i * depth, from, depth, c + i * c_stride + j, c_stride);
    }
    if (i < rows) Tile<1, 4>(a + i * depth, from, depth, c + i * c_stride + j, c_stride);
  }
  for (; j < count; ++j) {
    for (int64_t i = 0; i < rows; ++i) {
      Tile<1, 1>(a + i * depth, b + j * depth, depth, c + i * c_stride + j, c_stride);
    }
  }
}

template <typename T>
void Dots(const T* a, int64_t rows, const T* b, int64_t columns, int64_t depth, T* c,
          int64_t c_stride) {
  // In groups of four, so that where a range begins does not change the tiles.
  const int64_t work = std::max<int64_t>(rows * depth * 4, 1);
  ParallelFor((columns + 3) / 4, std::max<int64_t>(kWork / work, 1),
              [&](int64_t begin, int64_t end) {
                const int64_t first = begin * 4, count = std::min(end * 4, columns) - first;
                Vectorised([&]() GE_INLINE {
                  Columns(a, rows, b + first * depth, count, depth, c + first, c_stride);
                });
              });
}

}  // namespace

void RowDots(const float* a, int64_t rows, const float* b, int64_t columns, int64_t depth, float* c,
             int64_t c_stride) {
  Dots(a, rows, b, columns, depth, c, c_stride);
}

void RowDots(const double* a, int64_t rows, const double* b, int64_t columns, int64_t depth,
             double* c, int64_t c_stride) {
  Dots(a, rows, b, columns, depth, c, c_stride);
}

}  // namespace ge
