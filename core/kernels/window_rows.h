#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/heavy.h"

// Walks windows one row of results at a time.
namespace ge {

struct Range {
  int64_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  int64_t size() const { return std::max<int64_t>(0, end - begin); }
};

// The results i in [0, count) for which i * stride + offset lies in [0, dim).
inline Range InsideRange(int64_t dim, int64_t count, int64_t stride, int64_t offset) {
  const auto ceil_div = [](int64_t a, int64_t b) { return a <= 0 ? 0 : (a - 1) / b + 1; };
  const int64_t begin = ceil_div(-offset, stride);
  const int64_t end = ceil_div(dim - offset, stride);
  return {std::min(begin, count), std::min(end, count)};
}

// The taps k in [0, kernel) of the window of result i that lie in [0, dim).
inline Range InsideTaps(const WindowWalk& walk, size_t axis, int64_t dim, int64_t i) {
  return InsideRange(dim, walk.kernel[axis], walk.dilation[axis],
                     i * walk.stride[axis] - walk.pad[axis]);
}

// For result row (d, h) of a plane of x: calls visit(tap, row of x) for every row of the kernel
// that lies inside, where tap counts kernel elements before that row and the row of x is its
// offset in the plane.
template <typename Visit>
void ForKernelRows(const WindowWalk& walk, const Spatial& in, int64_t d, int64_t h, Visit visit) {
  const Range deep = InsideTaps(walk, 0, in[0], d), high = InsideTaps(walk, 1, in[1], h);
  for (int64_t kd = deep.begin; kd < deep.end; ++kd) {
    const int64_t plane = d * walk.stride[0] - walk.pad[0] + kd * walk.dilation[0];
    for (int64_t kh = high.begin; kh < high.end; ++kh) {
      const int64_t row = h * walk.stride[1] - walk.pad[1] + kh * walk.dilation[1];
      visit((kd * walk.kernel[1] + kh) * walk.kernel[2], (plane * in[1] + row) * in[2]);
    }
  }
}

// The tensor with its axes in the order N, C, D, H, W: `data` itself when they are, else a copy
// in `copy`.
const void* Dense(const Tensor5& tensor, const void* data, DataType dtype,
                  std::vector<uint8_t>& copy);
// The way back: writes the elements of `dense` to where `tensor` has them.
void FromDense(const Tensor5& tensor, const void* dense, DataType dtype, void* data);

}  // namespace ge
