#pragma once

#include <cstdint>
#include <vector>

#include "kernels/gemm.h"
#include "kernels/heavy.h"

// Matrix products of int8 and uint8 with sums of 32 bits that wrap.
//
// Four neighbours along the summed axis form a quad; in the left factor they are int8, in the right
// one uint8.  A factor of the other type is shifted by 128 (its top bit is flipped), and so is its
// zero point.
namespace ge {
namespace gemm {

struct Quad {
  uint32_t bits;
};
// The AddTile of gemm.h: acc[r * stride + c] += the products of a's and b's four pairs, summed.
void AddTile(int64_t depth, const Quad* a, const Quad* b, Quad* acc, int64_t stride);

}  // namespace gemm

namespace kernels {

enum class Side { kLeft, kRight };

// What flips the bytes of `dtype` to what that side takes: 0x80 or 0.
inline uint8_t FlipFor(DataType dtype, Side side) {
  return (dtype == DataType::kUint8) == (side == Side::kLeft) ? 0x80 : 0;
}
// What the flip adds to values.
inline int32_t ShiftFor(DataType dtype, Side side) {
  if (FlipFor(dtype, side) == 0) return 0;
  return side == Side::kLeft ? -128 : 128;
}

// The lines of one factor, rows of the left or columns of the right, in panels as gemm::Multiply
// takes them: [panel][quad of the summed axis][line of the panel].
struct BytePanels {
  int64_t lines = 0, quads = 0;
  std::vector<gemm::Quad> panels;
  std::vector<int32_t> sums;  // of the elements of each line, as they are here
  int64_t width = 0;          // lines of a panel

  BytePanels() = default;
  BytePanels(Side side, int64_t lines, int64_t quads);
  int64_t panel_count() const { return (lines + width - 1) / width; }
  const gemm::Quad* panel(int64_t index) const { return panels.data() + index * quads * width; }
  gemm::Quad* at(int64_t line, int64_t quad) {
    return panels.data() + (line / width * quads + quad) * width + line % width;
  }
  // Lines `first` and on, from `quad` on; `first` begins a panel.
  void CopyTo(int64_t first, int64_t count, int64_t quad, int64_t depth, gemm::Quad* out) const;
  uint64_t bytes() const {
    return panels.size() * sizeof(gemm::Quad) + sums.size() * sizeof(int32_t);
  }
};

// A matrix of bytes: element k of line l at data[l * line_step + k * step].
BytePanels PackBytes(Side side, DataType dtype, const uint8_t* data, int64_t lines, int64_t depth,
                     int64_t line_step, int64_t step);

// Calls store(row, columns, sums) for each row of the product of `left` and one panel of `right`,
// `columns` columns from panel * right.width on.
template <typename Store>
void MultiplyPanel(const BytePanels& left, const BytePanels& right, int64_t panel,
                   const Store& store) {
  const int64_t columns = std::min(right.width, right.lines - panel * right.width);
  for (int64_t i = 0; i < left.panel_count(); ++i) {
    gemm::Quad sums[gemm::kRows * gemm::kColumns<gemm::Quad>] = {};
    gemm::AddTile(left.quads, left.panel(i), right.panel(panel), sums, right.width);
    const int64_t first = i * left.width;
    for (int64_t r = 0; r < std::min(left.width, left.lines - first); ++r) {
      store(first + r, columns, sums + r * right.width);
    }
  }
}

// Writes quads of elements i of four rows; null stands for zeros that no flip touches.
void InterleaveRows(const uint8_t* const* rows, uint8_t flip, int64_t count, gemm::Quad* to);

// The zero points of input `factor` that input `input` holds, shifted for their side; the attribute
// offset_x or 0 where it is left out.
enum ByteInput : size_t { kOffsetW = 3, kOffsetX = 4 };
Result<std::vector<int32_t>> ZerosOf(const KernelContext& ctx, ByteInput input, Side side);

// What is left of sum(l * r) when both have zero points:
//   sum((l - zl) * (r - zr)) = sum(l * r) - zl * sum(r) - zr * sum(l) + depth * zl * zr
inline uint32_t ZeroTerm(int32_t left_zero, int32_t left_sum, int32_t right_zero, int32_t right_sum,
                         int64_t depth) {
  const auto wrap = [](int64_t value) { return static_cast<uint32_t>(value); };
  return wrap(depth) * wrap(left_zero) * wrap(right_zero) - wrap(left_zero) * wrap(right_sum) -
         wrap(right_zero) * wrap(left_sum);
}

}  // namespace kernels
}  // namespace ge
