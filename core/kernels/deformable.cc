#include "kernels/deformable.h"

#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/elementwise.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Linear interpolation between the four neighbours of (row, column); those outside count as 0.
template <typename T>
double Sample(const T* image, int64_t height, int64_t width, double row, double column) {
  if (!(row > -1 && row < static_cast<double>(height) && column > -1 &&
        column < static_cast<double>(width))) {
    return 0;
  }
  const int64_t top = static_cast<int64_t>(std::floor(row));
  const int64_t left = static_cast<int64_t>(std::floor(column));
  const double down = row - static_cast<double>(top), right = column - static_cast<double>(left);
  const auto at = [&](int64_t y, int64_t x) {
    const bool inside = y >= 0 && y < height && x >= 0 && x < width;
    return inside ? static_cast<double>(static_cast<ComputeType<T>>(image[y * width + x])) : 0.0;
  };
  return (1 - down) * ((1 - right) * at(top, left) + right * at(top, left + 1)) +
         down * ((1 - right) * at(top + 1, left) + right * at(top + 1, left + 1));
}

struct Geometry {
  int64_t channels, height, width;  // of x
  int64_t rows, columns;            // positions of the kernel
  int64_t kernel_h, kernel_w, groups;
  std::vector<int64_t> strides, pads, dilations;

  int64_t points() const { return kernel_h * kernel_w; }
};

// Plane `plane` (sample * channels + channel) of the result, [rows * kernel_h, columns * kernel_w].
template <typename T>
void FillPlane(const Geometry& g, int64_t plane, const T* x, const T* offsets, bool modulated,
               T* y) {
  const int64_t sample = plane / g.channels, channel = plane % g.channels;
  const int64_t group = channel / (g.channels / g.groups);
  const int64_t map = g.rows * g.columns, maps = g.groups * g.points();
  const T* image = x + plane * g.height * g.width;
  T* out = y + plane * map * g.points();
  const T* moves = offsets + sample * maps * (modulated ? 3 : 2) * map;
  for (int64_t point = 0; point < g.points(); ++point) {
    const int64_t a = point / g.kernel_w, b = point % g.kernel_w;
    const T* move_x = moves + (group * g.points() + point) * map;
    const T* move_y = move_x + maps * map;
    const T* mask = move_y + maps * map;
    for (int64_t at = 0; at < map; ++at) {
      const int64_t i = at / g.columns, j = at % g.columns;
      const double row = static_cast<double>(i * g.strides[2] - g.pads[0] + a * g.dilations[2]) +
                         static_cast<double>(static_cast<ComputeType<T>>(move_y[at]));
      const double column = static_cast<double>(j * g.strides[3] - g.pads[2] + b * g.dilations[3]) +
                            static_cast<double>(static_cast<ComputeType<T>>(move_x[at]));
      double value = Sample(image, g.height, g.width, row, column);
      if (modulated) value *= static_cast<double>(static_cast<ComputeType<T>>(mask[at]));
      out[(i * g.kernel_h + a) * g.columns * g.kernel_w + j * g.kernel_w + b] =
          static_cast<T>(static_cast<ComputeType<T>>(value));
    }
  }
}

}  // namespace

Status DeformableOffsets(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &offsets = ctx.inputs[1], &out = ctx.outputs[0];
  if (out.elements() == 0) return Status::Ok();
  const std::vector<int64_t> ksize = ctx.attrs.Ints("ksize");
  const Geometry g = {x.shape[1],
                      x.shape[2],
                      x.shape[3],
                      offsets.shape[2],
                      offsets.shape[3],
                      ksize[0],
                      ksize[1],
                      ctx.attrs.Int("deformable_groups"),
                      ctx.attrs.Ints("strides"),
                      ctx.attrs.Ints("pads"),
                      ctx.attrs.Ints("dilations")};
  const bool modulated = ctx.attrs.Bool("modulated");
  const bool built = VisitFloats(x.dtype, [&]<typename T>(T) {
    ParallelFor(x.shape[0] * g.channels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) {
        FillPlane(g, plane, x.as<T>(), offsets.as<T>(), modulated, out.as<T>());
      }
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
