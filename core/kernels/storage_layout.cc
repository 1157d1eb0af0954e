#include "kernels/storage_layout.h"

#include <array>
#include <string_view>

namespace ge {
namespace {

constexpr int64_t kCubeRows = 16;
constexpr std::string_view kAxes = "NDCHW";
enum Axis : size_t { kN, kD, kC, kH, kW };
using Sizes = std::array<int64_t, 5>;  // per axis; 1 where the tensor has none

// Along one axis blocks lie `block_stride` apart, and the elements of a block `stride`.
struct Step {
  int64_t block = 1;
  int64_t block_stride = 0;
  int64_t stride = 0;

  int64_t At(int64_t index) const { return index / block * block_stride + index % block * stride; }
};

struct Blocks {
  std::vector<int64_t> dims;  // of the memory
  std::vector<Step> steps;    // per axis of the tensor
};

// Rounded up; dims are below 2^62 (Bounded).
int64_t CeilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

// The axes of a tensor; empty when the format says nothing of so many.
std::string_view AxesOf(Format origin, size_t rank) {
  struct Row {
    Format format;
    std::string_view full, by_rank[4];
  };
  static constexpr Row kRows[] = {
      {Format::kNCHW, "NCHW", {"", "C", "CH", "CHW"}},
      {Format::kNHWC, "NHWC", {"", "C", "HW", "HWC"}},
      {Format::kHWCN, "HWCN", {"", "C", "CN", "WCN"}},
      {Format::kCHWN, "CHWN", {"", "C", "WN", "HWN"}},
      {Format::kNCDHW, "NCDHW", {"", "C", "HW", "DHW"}},
      {Format::kNDHWC, "NDHWC", {"", "C", "WC", "HWC"}},
      {Format::kDHWCN, "DHWCN", {"", "C", "CN", "WCN"}},
  };
  for (const Row& row : kRows) {
    if (row.format != origin) continue;
    return rank == row.full.size() ? row.full : rank < 4 ? row.by_rank[rank] : "";
  }
  return "";
}

int64_t BlockOf(Format format, DataType dtype) {
  switch (format) {
    case Format::kFractalNZC0x2:
      return 2;
    case Format::kNC1HWC0C04:
    case Format::kFractalNZC0x4:
      return 4;
    case Format::kFractalNZC0x8:
      return 8;
    case Format::kFractalNZC0x16:
      return 16;
    case Format::kFractalNZC0x32:
      return 32;
    default:
      return dtype == DataType::kInt8 || dtype == DataType::kUint8 ? 32 : 16;
  }
}

bool IsNZ(Format format) {
  return format == Format::kFractalNZ || format >= Format::kFractalNZC0x16;
}

Blocks NZBlocks(const Shape& shape, int64_t c0) {
  const size_t rank = shape.rank();
  const int64_t rows = rank < 2 ? 1 : shape[rank - 2];
  const int64_t n1 = CeilDiv(shape[rank - 1], c0), m1 = CeilDiv(rows, kCubeRows);
  Blocks blocks;
  blocks.steps.resize(rank);
  blocks.steps[rank - 1] = {c0, m1 * kCubeRows * c0, 1};
  if (rank > 1) blocks.steps[rank - 2] = {1, c0, 0};
  int64_t stride = n1 * m1 * kCubeRows * c0;
  for (size_t axis = rank - 1; axis-- > 1;) {
    blocks.steps[axis - 1] = {1, stride, 0};
    stride *= shape[axis - 1];
  }
  for (size_t axis = 0; axis + 2 < rank; ++axis) blocks.dims.push_back(shape[axis]);
  for (const int64_t dim : {n1, m1, kCubeRows, c0}) blocks.dims.push_back(dim);
  return blocks;
}

// Steps of all five axes.
using AllSteps = std::array<Step, 5>;

AllSteps FeatureSteps(const Sizes& size, int64_t c0) {
  const int64_t plane = size[kH] * size[kW] * c0, c1 = CeilDiv(size[kC], c0);
  AllSteps steps;
  steps[kN] = {1, size[kD] * c1 * plane, 0};
  steps[kD] = {1, c1 * plane, 0};
  steps[kC] = {c0, plane, 1};
  steps[kH] = {1, size[kW] * c0, 0};
  steps[kW] = {1, c0, 0};
  return steps;
}

AllSteps FilterSteps(const Sizes& size, int64_t c0) {
  const int64_t fractal = CeilDiv(size[kN], kCubeRows) * kCubeRows * c0;
  const int64_t plane = size[kH] * size[kW] * fractal;
  AllSteps steps;
  steps[kN] = {1, c0, 0};
  steps[kD] = {1, CeilDiv(size[kC], c0) * plane, 0};
  steps[kC] = {c0, plane, 1};
  steps[kH] = {1, size[kW] * fractal, 0};
  steps[kW] = {1, fractal, 0};
  return steps;
}

std::optional<Blocks> BlocksOf(Format format, Format origin, const Shape& shape, DataType dtype) {
  const int64_t c0 = BlockOf(format, dtype);
  if (IsNZ(format)) return shape.rank() == 0 ? std::nullopt : std::optional(NZBlocks(shape, c0));
  const bool is_filter = format == Format::kFractalZ || format == Format::kFractalZ3D;
  const bool is_matrix = format == Format::kFractalZ && origin == Format::kND && shape.has_rank(2);
  const std::string_view axes = is_matrix ? "CN" : AxesOf(origin, shape.rank());
  const bool has_depth = format == Format::kNDC1HWC0 || format == Format::kFractalZ3D;
  if (axes.empty() || (!has_depth && axes.find('D') != std::string_view::npos)) return std::nullopt;
  Sizes size;
  size.fill(1);
  for (size_t i = 0; i < axes.size(); ++i) size[kAxes.find(axes[i])] = shape[i];
  const AllSteps steps = is_filter ? FilterSteps(size, c0) : FeatureSteps(size, c0);
  Blocks blocks;
  for (const char axis : axes) blocks.steps.push_back(steps[kAxes.find(axis)]);
  const int64_t c1 = CeilDiv(size[kC], c0);
  if (is_filter) {
    blocks.dims = {size[kD] * c1 * size[kH] * size[kW], CeilDiv(size[kN], kCubeRows), kCubeRows,
                   c0};
  } else if (has_depth) {
    blocks.dims = {size[kN], size[kD], c1, size[kH], size[kW], c0};
  } else {
    blocks.dims = {size[kN], c1, size[kH], size[kW], c0};
  }
  return blocks;
}

// Whether no product of the rules above leaves 63 bits: every axis is rounded up by less than 32.
bool IsBounded(const Shape& shape) {
  int64_t product = 1;
  for (const int64_t dim : shape.dims()) {
    if (dim < 0 || __builtin_mul_overflow(product, dim + 31, &product)) return false;
  }
  return !__builtin_mul_overflow(product, 64 * 32 * 16, &product);
}

}  // namespace

bool IsBlocked(Format format) {
  switch (format) {
    case Format::kNC1HWC0:
    case Format::kNC1HWC0C04:
    case Format::kNDC1HWC0:
    case Format::kFractalZ:
    case Format::kFractalZ3D:
      return true;
    default:
      return IsNZ(format) && format <= Format::kFractalNZC0x8;
  }
}

std::optional<Shape> StorageShape(Format format, Format origin, const Shape& shape,
                                  DataType dtype) {
  if (!IsBlocked(format) || !shape.is_static() || !IsBounded(shape)) return std::nullopt;
  std::optional<Blocks> blocks = BlocksOf(format, origin, shape, dtype);
  if (!blocks) return std::nullopt;
  return Shape(std::move(blocks->dims));
}

std::optional<StorageLayout> StorageLayoutOf(Format format, Format origin, const Shape& shape,
                                             DataType dtype) {
  if (!IsBlocked(format) || !shape.is_static() || !IsBounded(shape)) return std::nullopt;
  std::optional<Blocks> blocks = BlocksOf(format, origin, shape, dtype);
  if (!blocks) return std::nullopt;
  StorageLayout layout;
  layout.shape = Shape(std::move(blocks->dims));
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    std::vector<int64_t>& offsets = layout.offsets.emplace_back();
    for (int64_t i = 0; i < shape[axis]; ++i) offsets.push_back(blocks->steps[axis].At(i));
  }
  return layout;
}

}  // namespace ge
