#include "kernels/row_panels.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/simd.h"

namespace ge {
namespace {

// Columns of a panel that vectors hold.
typedef float Vector __attribute__((vector_size(64), aligned(alignof(float)), may_alias));
constexpr int64_t kLanes = 16;

// `kRows` rows of a times kVectors * kLanes columns of a panel of `width`.
template <int kRows, int kVectors>
GE_INLINE inline void Tile(const float* a, int64_t depth, const float* panel, int64_t width,
                           float* sums) {
  Vector totals[kRows][kVectors] = {};
  for (int64_t k = 0; k < depth; ++k) {
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) {
        totals[r][v] +=
            a[r * depth + k] * *reinterpret_cast<const Vector*>(panel + k * width + v * kLanes);
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 4
    for (int v = 0; v < kVectors; ++v) {
      *reinterpret_cast<Vector*>(sums + r * width + v * kLanes) = totals[r][v];
    }
  }
}

}  // namespace

RowPanels::RowPanels(const float* matrix, int64_t rows, int64_t depth)
    : rows_(rows),
      depth_(depth),
      panels_(static_cast<size_t>((rows + kWidth - 1) / kWidth * kWidth * depth), 0) {
  for (int64_t row = 0; row < rows; ++row) {
    float* const to = panels_.data() + row / kWidth * kWidth * depth + row % kWidth;
    for (int64_t k = 0; k < depth; ++k) to[k * kWidth] = matrix[row * depth + k];
  }
}

void RowPanels::Dots(const float* a, int64_t count, float* c, int64_t stride) const {
  constexpr int64_t kLeastWork = 1 << 19;  // multiplications worth a thread
  constexpr int kRows = 4;
  const int64_t work = std::max<int64_t>(count * depth_ * kWidth, 1);
  const int64_t panels = (rows_ + kWidth - 1) / kWidth;
  ParallelFor(panels, kLeastWork / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const float* const panel = panels_.data() + i * kWidth * depth_;
      const int64_t used = std::min(kWidth, rows_ - i * kWidth), depth = depth_;
      for (int64_t row = 0; row < count;) {
        const float* const from = a + row * depth_;
        float sums[kRows * kWidth];
        float* const to = sums;
        const int64_t rows = count - row >= kRows ? kRows : 1;
        Vectorised([=]() GE_INLINE {
          if (rows == 1) return Tile<1, 4>(from, depth, panel, kWidth, to);
          for (int64_t half = 0; half < kWidth; half += 2 * kLanes) {
            Tile<kRows, 2>(from, depth, panel + half, kWidth, to + half);
          }
        });
        for (int64_t r = 0; r < rows; ++r) {
          std::copy_n(sums + r * kWidth, used, c + (row + r) * stride + i * kWidth);
        }
        row += rows;
      }
    }
  });
}

}  // namespace ge
