#include <algorithm>
#include <cmath>

#include "kernels/vision.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// A sample between two neighbours of one axis.
struct Sample {
  int64_t low, high;
  float low_weight, high_weight;
};

// The samples that the bins of a region take along one axis.
struct AxisSamples {
  std::vector<std::vector<Sample>> bins;  // those inside of the axis
  double per_bin = 0;                     // those outside included
};

Sample SampleAt(float position, int64_t size) {
  const float x = std::max(position, 0.0f);
  const int64_t low = static_cast<int64_t>(x);
  if (low >= size - 1) return {size - 1, size - 1, 1, 0};
  const float rest = x - static_cast<float>(low);
  return {low, low + 1, 1 - rest, rest};
}

AxisSamples SamplesOf(float start, float length, int64_t bins, int64_t sample_num, int64_t size) {
  AxisSamples samples;
  samples.bins.resize(static_cast<size_t>(bins));
  const float bin = length / static_cast<float>(bins);
  const float count = sample_num > 0 ? static_cast<float>(sample_num) : std::ceil(bin);
  if (!(count > 0) || !std::isfinite(count) || !std::isfinite(start)) return samples;
  samples.per_bin = static_cast<double>(count);
  const float limit = static_cast<float>(size);
  for (int64_t p = 0; p < bins; ++p) {
    const float base = start + static_cast<float>(p) * bin;
    // A region may be far larger than the axis: only samples near it are looked at.
    const double step = static_cast<double>(bin) / static_cast<double>(count);
    double first = 0, last = static_cast<double>(count) - 1;
    if (sample_num == 0) {
      first = std::max(first, (-1.0 - static_cast<double>(base)) / step - 2);
      last = std::min(last, (static_cast<double>(limit) - static_cast<double>(base)) / step + 2);
    }
    if (first > 0x1p40) continue;  // float cannot tell such samples apart
    for (double i = std::floor(first); i <= last; ++i) {
      const float position = base + (static_cast<float>(i) + 0.5f) * bin / count;
      if (!(position >= -1.0f && position <= limit)) continue;
      samples.bins[static_cast<size_t>(p)].push_back(SampleAt(position, size));
    }
  }
  return samples;
}

struct Region {
  int64_t batch;
  AxisSamples rows, columns;
};

// A region from its five numbers; ROIAlign's comment tells the modes.
Result<Region> RegionOf(const KernelContext& ctx, const float* roi) {
  const Shape& x = ctx.inputs[0].shape;
  const int64_t mode = ctx.attrs.Int("roi_end_mode"), samples = ctx.attrs.Int("sample_num");
  const float scale = ctx.attrs.Float("spatial_scale");
  const float offset = mode == 2 ? 0.5f : 0.0f, more = mode == 1 ? 1.0f : 0.0f;
  if (!(roi[0] >= 0 && roi[0] < static_cast<float>(x[0]))) {
    return ctx.Fail("a region is in batch " + std::to_string(roi[0]) + " of " + x.ToString());
  }
  const auto axis = [&](float begin, float end, std::string_view bins, int64_t size) {
    const float start = begin * scale - offset;
    float length = (end + more) * scale - offset - start;
    if (mode != 2) length = std::max(length, 1.0f);
    return SamplesOf(start, length, ctx.attrs.Int(bins), samples, size);
  };
  return Region{static_cast<int64_t>(roi[0]), axis(roi[2], roi[4], "pooled_height", x[2]),
                axis(roi[1], roi[3], "pooled_width", x[3])};
}

// The mean over the samples of a bin; `count` are all of them.
template <typename C>
C Average(const C* plane, int64_t width, const std::vector<Sample>& rows,
          const std::vector<Sample>& columns, double count) {
  C sum = 0;
  for (const Sample& row : rows) {
    const C* low = plane + row.low * width;
    const C* high = plane + row.high * width;
    const C wl = static_cast<C>(row.low_weight), wh = static_cast<C>(row.high_weight);
    for (const Sample& column : columns) {
      const C left = wl * low[column.low] + wh * high[column.low];
      const C right = wl * low[column.high] + wh * high[column.high];
      sum += static_cast<C>(column.low_weight) * left + static_cast<C>(column.high_weight) * right;
    }
  }
  return sum / static_cast<C>(std::max(count, 1.0));
}

// The greatest weighted neighbour of any sample, as ONNX's own implementation has it; a sample
// outside is 0.
template <typename C>
C Greatest(const C* plane, int64_t width, const std::vector<Sample>& rows,
           const std::vector<Sample>& columns, double count) {
  const double inside = static_cast<double>(rows.size()) * static_cast<double>(columns.size());
  bool found = inside < count;
  C greatest = 0;
  for (const Sample& row : rows) {
    for (const Sample& column : columns) {
      const auto at = [&](int64_t y, float wy, int64_t x, float wx) {
        const C value = static_cast<C>(wy * wx) * plane[y * width + x];
        if (!found || value > greatest) greatest = value;
        found = true;
      };
      at(row.low, row.low_weight, column.low, column.low_weight);
      at(row.low, row.low_weight, column.high, column.high_weight);
      at(row.high, row.high_weight, column.low, column.low_weight);
      at(row.high, row.high_weight, column.high, column.high_weight);
    }
  }
  return greatest;
}

}  // namespace

Status RoiAlign(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const HostTensor& y = ctx.outputs[0];
  if (y.elements() == 0) return Status::Ok();
  if (x.elements() == 0) return ctx.Fail("features " + x.shape.ToString() + " have no elements");
  const int64_t count = y.shape[0], channels = x.shape[1], height = y.shape[2], width = y.shape[3];
  const int64_t plane = x.shape[2] * x.shape[3];
  const WideInput<float> rois(ctx.inputs[1]);
  std::vector<Region> regions;
  for (int64_t r = 0; r < count; ++r) {
    GE_ASSIGN(Region region, RegionOf(ctx, rois.data() + r * 5));
    regions.push_back(std::move(region));
  }
  const bool average = ctx.attrs.Str("pool_mode") == "avg";
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x);
    WideOutput<C> out(y);
    ParallelFor(count * channels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const Region& region = regions[static_cast<size_t>(i / channels)];
        const C* from = in.data() + (region.batch * channels + i % channels) * plane;
        C* to = out.data() + i * height * width;
        const double samples = region.rows.per_bin * region.columns.per_bin;
        for (const std::vector<Sample>& rows : region.rows.bins) {
          for (const std::vector<Sample>& columns : region.columns.bins) {
            *to++ = average ? Average(from, x.shape[3], rows, columns, samples)
                            : Greatest(from, x.shape[3], rows, columns, samples);
          }
        }
      }
    });
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
