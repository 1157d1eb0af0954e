#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/kernel_context.h"

// Moving elements of any type: what Transpose, Slice, Expand, Tile, Pad and Gather have in common.
namespace ge {

// Bytes of one element; nullopt when elements share bytes (int4, ...) or have no fixed size.
std::optional<size_t> ElementBytes(DataType dtype);

struct Bytes16 {
  uint64_t low, high;
};
// Calls visit(T()) with a type of the size of an element; false where ElementBytes is nullopt.
template <typename Visit>
bool VisitBytes(DataType dtype, const Visit& visit) {
  switch (ElementBytes(dtype).value_or(0)) {
    case 1:
      visit(uint8_t());
      return true;
    case 2:
      visit(uint16_t());
      return true;
    case 4:
      visit(uint32_t());
      return true;
    case 8:
      visit(uint64_t());
      return true;
    case 16:
      visit(Bytes16());
      return true;
    default:
      return false;
  }
}

// For one axis of an output, in elements: where in the input its index i reads.  A read at kOutside
// takes the fill value.
using AxisOffsets = std::vector<int64_t>;
inline constexpr int64_t kOutside = -1;

// `count` offsets first * stride, (first + step) * stride, ...
AxisOffsets SteppedOffsets(int64_t first, int64_t step, int64_t count, int64_t stride);

// out[i0, i1, ...] = in[axes[0][i0] + axes[1][i1] + ...], or *fill where one of the terms is
// kOutside.  `out` is row-major with one axis per entry of `axes`; elements have `width` bytes,
// one of 1, 2, 4, 8 and 16.  `fill` may be null when no term is kOutside.
void GatherBox(const void* in, const std::vector<AxisOffsets>& axes, size_t width, const void* fill,
               void* out);

// One axis of an output: its length, and how far apart its elements are in the input.
struct StridedAxis {
  int64_t size;
  int64_t stride;
};
// GatherBox for axes of constant strides, with square tiles where the last axis of the input is not
// the last of the output.
void Rearrange(const void* in, const std::vector<StridedAxis>& axes, size_t width, void* out);

// Steps through all index tuples of a row-major shape, the last axis fastest.
class IndexCounter {
 public:
  explicit IndexCounter(const Shape& shape) : shape_(shape), index_(shape.rank()) {}
  const std::vector<int64_t>& index() const { return index_; }
  int64_t operator[](size_t axis) const { return index_[axis]; }
  void Next();

 private:
  const Shape& shape_;
  std::vector<int64_t> index_;
};

}  // namespace ge
