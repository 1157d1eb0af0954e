#pragma once

#include <cstdint>

namespace ge {

// c[i][j] = sum over k of a[i][k] * b[j][k]: a is [rows, depth], b [columns, depth], and row i of c
// starts at c + i * c_stride.  Good for few rows, as the steps of a recurrent layer have; the order
// of the additions is fixed.
void RowDots(const float* a, int64_t rows, const float* b, int64_t columns, int64_t depth, float* c,
             int64_t c_stride);
void RowDots(const double* a, int64_t rows, const double* b, int64_t columns, int64_t depth,
             double* c, int64_t c_stride);

}  // namespace ge
