#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/dtype.h"
#include "base/format.h"
#include "base/shape.h"

// How the elements of a tensor lie in the formats of the hardware, which cut axes into blocks.
//
//   C0   elements of a block: 32 of int8 and uint8, else 16, or what the format says
//   NC1HWC0, NC1HWC0_C04    [N, C/C0, H, W, C0]
//   NDC1HWC0                [N, D, C/C0, H, W, C0]
//   FRACTAL_Z               [C/C0*H*W, N/16, 16, C0]      of ND: a matrix [C, N]
//   FRACTAL_Z_3D            [D*C/C0*H*W, N/16, 16, C0]
//   FRACTAL_NZ, ..._C0_n    [..., N/C0, M/16, 16, C0]     of [..., M, N], whatever the axes mean
//
// Divisions round up, and what no element lies on is zero.
namespace ge {

struct StorageLayout {
  Shape shape;  // of the memory
  // Per axis of the tensor, in elements: element [i, j, ...] lies at offsets[0][i] + ...
  std::vector<std::vector<int64_t>> offsets;
};

// Whether `format` is one of the above.
bool IsBlocked(Format format);
// The shape of the memory of a tensor, whose axes are those of `origin`.  A tensor with fewer axes
// than its format has those that GE gives it: C; CH, HW, CN; CHW, HWC, WCN.  nullopt when the
// formats do not go together, when a dim is not known, and when there is too much of it.
std::optional<Shape> StorageShape(Format format, Format origin, const Shape& shape, DataType dtype);
// The same with the places of all elements.
std::optional<StorageLayout> StorageLayoutOf(Format format, Format origin, const Shape& shape,
                                             DataType dtype);

}  // namespace ge
