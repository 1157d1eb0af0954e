#pragma once

#include <cstdint>
#include <vector>

namespace ge {

// The rows of a constant matrix, [rows, depth], in the order in which products with them read it.
class RowPanels {
 public:
  RowPanels(const float* matrix, int64_t rows, int64_t depth);

  // c[i][j] = sum over k of a[i][k] * matrix[j][k]: a is [count, depth], rows of c are `stride`
  // apart.  The order of the additions is that of k.
  void Dots(const float* a, int64_t count, float* c, int64_t stride) const;
  uint64_t bytes() const { return panels_.size() * sizeof(float); }

 private:
  static constexpr int64_t kWidth = 64;  // rows of a panel, which has [depth, kWidth]

  int64_t rows_, depth_;
  std::vector<float> panels_;
};

}  // namespace ge
