#pragma once

#include <vector>

#include "kernels/byte_product.h"

namespace ge::kernels {

// A matrix of 8-bit integers, (code - zero) * scale, with one scale and zero point or one per line.
struct LevelMatrix {
  BytePanels lines;
  int64_t depth = 0;  // elements of a line
  std::vector<float> scales;
  std::vector<int32_t> zeros;  // as the panels have them
};

// c[i][j] = row i of x, [rows, depth], times line j.  All of x is first rounded to 256 levels that
// hold 0 and all of it.
void LevelDots(const float* x, int64_t rows, const LevelMatrix& matrix, float* c);

}  // namespace ge::kernels
