#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/heavy.h"

// Matrix products in tiles, each of them the work of one thread.
namespace ge::onednn {

struct Matrix {
  bool transposed = false;
  int64_t step = 0;             // between rows; between columns if transposed
  std::vector<int64_t> starts;  // per product
};

struct Products {
  int64_t m = 0, n = 0, k = 0;
  Matrix a, b;
  // y of product i begins at element i * m * n.
  enum class Bias { kNone, kPerRow, kPerColumn } bias = Bias::kNone;
};

// nullopt where the plain kernel is the faster one.  Dtypes do not count.
std::optional<Products> ProductsOf(const MatMulProblem& problem);

inline constexpr int64_t kTileRows = 128;
// About 8 tiles to share out, but none too narrow to be fast.
inline int64_t TileColumns(int64_t columns) {
  constexpr int64_t kNarrow = 96, kWide = 384;
  return std::clamp((columns / 8 + 15) / 16 * 16, kNarrow, kWide);
}

}  // namespace ge::onednn
