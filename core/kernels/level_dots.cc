#include "kernels/level_dots.h"

#include "kernels/quantize.h"

namespace ge::kernels {

void LevelDots(const float* x, int64_t rows, const LevelMatrix& matrix, float* c) {
  const int64_t depth = matrix.depth, lines = matrix.lines.lines, width = matrix.lines.width;
  const Levels levels = LevelsOf(x, rows * depth);
  std::vector<uint8_t> codes(static_cast<size_t>(rows * depth));
  QuantizeTo(levels, x, rows * depth, codes.data());
  const BytePanels left =
      PackBytes(Side::kLeft, DataType::kUint8, codes.data(), rows, depth, depth, 1);
  const int32_t zero = levels.zero + ShiftFor(DataType::kUint8, Side::kLeft);
  const int64_t work = std::max<int64_t>(left.panel_count() * width * depth, 1);
  ParallelFor(matrix.lines.panel_count(), 131'072 / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t first = panel * width;
      MultiplyPanel(
          left, matrix.lines, panel, [&](int64_t row, int64_t columns, const gemm::Quad* products) {
            const int32_t sum = left.sums[static_cast<size_t>(row)];
            for (int64_t i = 0; i < columns; ++i) {
              const auto at = static_cast<size_t>(first + i);
              const auto of_line = [&](const auto& list) {
                return list[list.size() == 1 ? 0 : at];
              };
              const uint32_t total = products[i].bits + ZeroTerm(zero, sum, of_line(matrix.zeros),
                                                                 matrix.lines.sums[at], depth);
              c[row * lines + first + i] = static_cast<float>(static_cast<int32_t>(total)) *
                                           (levels.scale * of_line(matrix.scales));
            }
          });
    }
  });
}

}  // namespace ge::kernels
