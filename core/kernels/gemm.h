#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "base/parallel.h"
#include "kernels/dispatch.h"
#include "kernels/half_rows.h"

// Matrix products in blocks that fit the caches.  Operands are packed: the callers copy, and
// convert, pieces of their tensors, whatever these look like.  Every element of a result is summed
// in an order that depends on the inner dimension alone, without fused operations: results are the
// same on every processor and with any number of threads.
namespace ge::gemm {

// What products of T are summed in: float for the 16-bit floats, for integers unsigned numbers
// that wrap.
template <typename T>
using SumType = std::conditional_t<std::is_integral_v<T>,
                                   std::conditional_t<(sizeof(T) > 4), uint64_t, uint32_t>,
                                   std::conditional_t<std::is_same_v<T, double>, double, float>>;

// Rows and columns of the tile that stays in registers.
inline constexpr int64_t kRows = 6;
template <typename C>
inline constexpr int64_t kColumns = 64 / static_cast<int64_t>(sizeof(C));
inline constexpr int64_t kDepth = 256;  // of a packed block

// acc[r * stride + c] += sum over k of a[k * kRows + r] * b[k * kColumns + c].
template <typename C>
void AddTile(int64_t depth, const C* a, const C* b, C* acc, int64_t stride);
extern template void AddTile(int64_t, const float*, const float*, float*, int64_t);
extern template void AddTile(int64_t, const double*, const double*, double*, int64_t);
extern template void AddTile(int64_t, const uint32_t*, const uint32_t*, uint32_t*, int64_t);
extern template void AddTile(int64_t, const uint64_t*, const uint64_t*, uint64_t*, int64_t);

// sums[i] += factors[0] * rows[0][i] + ... + factors[3] * rows[3][i], one after the other.  Unless
// `ahead` is 0, what lies so many elements behind is fetched meanwhile.
template <typename C>
void AddRows(int64_t count, const C* factors, const C* const* rows, C* sums, int64_t ahead);
extern template void AddRows(int64_t, const float*, const float* const*, float*, int64_t);
extern template void AddRows(int64_t, const double*, const double* const*, double*, int64_t);
extern template void AddRows(int64_t, const uint32_t*, const uint32_t* const*, uint32_t*, int64_t);
extern template void AddRows(int64_t, const uint64_t*, const uint64_t* const*, uint64_t*, int64_t);
inline constexpr int64_t kRowsAtOnce = 4;

// results[c] = sum of x[i] * y[c * step + i], in 64 bytes of partial sums.
template <typename C>
void Dots(int64_t size, const C* x, const C* y, int64_t step, int64_t count, C* results);
extern template void Dots(int64_t, const float*, const float*, int64_t, int64_t, float*);
extern template void Dots(int64_t, const double*, const double*, int64_t, int64_t, double*);
extern template void Dots(int64_t, const uint32_t*, const uint32_t*, int64_t, int64_t, uint32_t*);
extern template void Dots(int64_t, const uint64_t*, const uint64_t*, int64_t, int64_t, uint64_t*);

// Copies a strided matrix of `rows` x `columns` into panels of `width` columns, each of them
// row-major and filled up with zeros.
template <typename T, typename C>
void PackColumns(const T* data, int64_t row_step, int64_t column_step, int64_t rows,
                 int64_t columns, int64_t width, C* packed) {
  for (int64_t first = 0; first < columns; first += width, packed += rows * width) {
    const T* from = data + first * column_step;
    const int64_t used = std::min(width, columns - first);
    if (used < width) std::fill_n(packed, rows * width, C{0});
    if (column_step == 1) {
      for (int64_t r = 0; r < rows; ++r) {
        if constexpr (kIsNarrowFloat<T>) {
          WidenRow(from + r * row_step, packed + r * width, used);
          continue;
        }
        for (int64_t c = 0; c < used; ++c) {
          packed[r * width + c] = static_cast<C>(from[r * row_step + c]);
        }
      }
    } else {
      for (int64_t c = 0; c < used; ++c) {
        for (int64_t r = 0; r < rows; ++r) {
          packed[r * width + c] = static_cast<C>(from[r * row_step + c * column_step]);
        }
      }
    }
  }
}

struct Sizes {
  int64_t batches = 1;
  int64_t m = 0, n = 0, k = 0;
};
// Rows and columns of the blocks that threads work on.
struct BlockSizes {
  int64_t rows, columns;
};
BlockSizes ChooseBlocks(const Sizes& sizes, int64_t element_bytes);

// For every batch the product of an m x k and a k x n matrix.  The callers' functions get a range
// of rows and columns of a matrix:
//   pack_a(batch, row, rows, k, depth, out)        panels of kRows rows, transposed
//   pack_b(batch, column, columns, k, depth, out)  panels of kColumns columns
//   store(batch, row, rows, column, columns, sums, stride)
template <typename C, typename PackA, typename PackB, typename Store>
void Multiply(const Sizes& sizes, const PackA& pack_a, const PackB& pack_b, const Store& store) {
  constexpr int64_t kWide = kColumns<C>;
  const BlockSizes block = ChooseBlocks(sizes, sizeof(C));
  const int64_t down = (sizes.m + block.rows - 1) / block.rows;
  const int64_t across = (sizes.n + block.columns - 1) / block.columns;
  // Handing a thread less than this costs more than it saves.
  constexpr double kLeastWork = 100'000;
  const double work = static_cast<double>(std::min(block.rows, sizes.m)) *
                      static_cast<double>(std::min(block.columns, sizes.n)) *
                      static_cast<double>(std::max<int64_t>(sizes.k, 1));
  const int64_t grain = work >= kLeastWork ? 1 : static_cast<int64_t>(kLeastWork / work) + 1;
  ParallelFor(sizes.batches * down * across, grain, [&](int64_t begin, int64_t end) {
    const int64_t depth = std::min(kDepth, sizes.k);
    const auto sums = std::make_unique_for_overwrite<C[]>(block.rows * block.columns);
    const auto a = std::make_unique_for_overwrite<C[]>(block.rows * depth);
    const auto b = std::make_unique_for_overwrite<C[]>(block.columns * depth);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t batch = i / (down * across);
      const int64_t row = i % down * block.rows, column = i / down % across * block.columns;
      const int64_t rows = std::min(block.rows, sizes.m - row);
      const int64_t columns = std::min(block.columns, sizes.n - column);
      std::fill_n(sums.get(), (rows + kRows - 1) / kRows * kRows * block.columns, C{0});
      for (int64_t k = 0; k < sizes.k; k += depth) {
        const int64_t here = std::min(depth, sizes.k - k);
        pack_a(batch, row, rows, k, here, a.get());
        pack_b(batch, column, columns, k, here, b.get());
        for (int64_t c = 0; c < columns; c += kWide) {
          for (int64_t r = 0; r < rows; r += kRows) {
            AddTile(here, a.get() + r * here, b.get() + c * here,
                    sums.get() + r * block.columns + c, block.columns);
          }
        }
      }
      store(batch, row, rows, column, columns, sums.get(), block.columns);
    }
  });
}

}  // namespace ge::gemm
