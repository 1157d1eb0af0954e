#include "kernels/roi_pool.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/parallel.h"
#include "kernels/elementwise.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// The elements of one axis that a cell covers.
struct Span {
  int64_t begin, end;
};

// A region from `first` to `last`, both included, in equal cells that are rounded outward.
std::vector<Span> CellsOf(float first, float last, float scale, int64_t cells, int64_t size) {
  const double start = std::round(static_cast<double>(first * scale));
  const double end = std::round(static_cast<double>(last * scale));
  const double cell = std::max(end - start + 1, 1.0) / static_cast<double>(cells);
  const auto inside = [&](double place) {
    // NaN gives 0, so that nothing is covered.
    return static_cast<int64_t>(std::fmin(std::fmax(place, 0), static_cast<double>(size)));
  };
  std::vector<Span> spans;
  for (int64_t i = 0; i < cells; ++i) {
    spans.push_back({inside(std::floor(static_cast<double>(i) * cell) + start),
                     inside(std::ceil(static_cast<double>(i + 1) * cell) + start)});
  }
  return spans;
}

template <typename T>
T LargestOf(const T* plane, int64_t width, Span rows, Span columns) {
  if (rows.begin >= rows.end || columns.begin >= columns.end) return static_cast<T>(0);
  T largest = plane[rows.begin * width + columns.begin];
  for (int64_t y = rows.begin; y < rows.end; ++y) {
    for (int64_t x = columns.begin; x < columns.end; ++x) {
      const T value = plane[y * width + x];
      // A number beats NaN.
      if (value > largest || largest != largest) largest = value;
    }
  }
  return largest;
}

}  // namespace

Status RoiPooling(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &rois = ctx.inputs[1], &y = ctx.outputs[0];
  if (y.elements() == 0) return Status::Ok();
  const int64_t regions = rois.shape[0], channels = x.shape[1], height = x.shape[2],
                width = x.shape[3];
  const int64_t pooled_h = y.shape[2], pooled_w = y.shape[3];
  const float scale_h = ctx.attrs.Float("spatial_scale_h");
  const float scale_w = ctx.attrs.Float("spatial_scale_w");
  int64_t wrong = -1;
  const bool built = VisitFloats(x.dtype, [&]<typename T>(T) {
    using Wide = ComputeType<T>;
    const auto roi = [&](int64_t r, int64_t i) {
      return static_cast<float>(static_cast<Wide>(rois.as<T>()[r * 5 + i]));
    };
    for (int64_t r = 0; r < regions && wrong < 0; ++r) {
      if (!(roi(r, 0) >= 0 && roi(r, 0) < static_cast<float>(x.shape[0]))) wrong = r;
    }
    if (wrong >= 0) return;
    ParallelFor(regions, 1, [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const auto columns = CellsOf(roi(r, 1), roi(r, 3), scale_w, pooled_w, width);
        const auto rows = CellsOf(roi(r, 2), roi(r, 4), scale_h, pooled_h, height);
        const int64_t sample = std::min(static_cast<int64_t>(roi(r, 0)), x.shape[0] - 1);
        T* out = y.as<T>() + r * channels * pooled_h * pooled_w;
        for (int64_t c = 0; c < channels; ++c) {
          const T* plane = x.as<T>() + (sample * channels + c) * height * width;
          for (const Span row : rows) {
            for (const Span column : columns) *out++ = LargestOf(plane, width, row, column);
          }
        }
      }
    });
  });
  if (!built) return ctx.NotBuilt();
  if (wrong < 0) return Status::Ok();
  return ctx.Fail("region " + std::to_string(wrong) + " is in no image of the batch of " +
                  std::to_string(x.shape[0]));
}

}  // namespace ge::kernels
