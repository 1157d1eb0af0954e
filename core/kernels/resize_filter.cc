#include "kernels/resize_filter.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ge::kernels {
namespace {

// The weight of a sample at `distance` from the position.
double WeightAt(const Kernel& kernel, double distance) {
  const double x = std::fabs(distance);
  if (!kernel.cubic) return std::max(1 - x, 0.0);
  const double a = static_cast<double>(kernel.cubic_a);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

int64_t Nearest(const std::string& mode, bool shrinks, float position) {
  const float floor = std::floor(position);
  const bool is_tie = position - floor == 0.5f;
  if (mode == "floor" || (mode == "round_prefer_floor" && is_tie)) {
    return static_cast<int64_t>(floor);
  }
  if (mode == "ceil" || (mode == "simple" && shrinks)) {
    return static_cast<int64_t>(std::ceil(position));
  }
  if (mode == "simple") return static_cast<int64_t>(position);
  return static_cast<int64_t>(std::floor(position + 0.5f));
}

// Adds a weight at a sample, or at the closest one when it is outside.
void AddTap(AxisFilter& filter, size_t first, int64_t low, int64_t size, int64_t sample,
            double weight) {
  const int64_t inside = std::clamp<int64_t>(sample, 0, size - 1);
  filter.weight[first + static_cast<size_t>(inside - low)] += weight;
}

}  // namespace

std::optional<Coordinates> FindCoordinates(const std::string& name) {
  constexpr std::pair<const char*, Coordinates> kNames[] = {
      {"half_pixel", Coordinates::kHalfPixel},
      {"half_pixel_symmetric", Coordinates::kHalfPixelSymmetric},
      {"pytorch_half_pixel", Coordinates::kPytorchHalfPixel},
      {"align_corners", Coordinates::kAlignCorners},
      {"asymmetric", Coordinates::kAsymmetric},
      {"tf_half_pixel_for_nn", Coordinates::kTfHalfPixelForNn},
      {"tf_crop_and_resize", Coordinates::kTfCropAndResize}};
  for (const auto& [known, coordinates] : kNames) {
    if (name == known) return coordinates;
  }
  return std::nullopt;
}

float SourcePosition(const ResizedAxis& axis, Coordinates coordinates, int64_t i) {
  const float x = static_cast<float>(i);
  const bool stays = axis.in == axis.out && axis.scale == 1;
  if (stays && coordinates != Coordinates::kTfCropAndResize) return x;
  const float in = static_cast<float>(axis.in), out = static_cast<float>(axis.out);
  const float half_pixel = (x + 0.5f) / axis.scale - 0.5f;
  switch (coordinates) {
    case Coordinates::kHalfPixel:
      return half_pixel;
    case Coordinates::kHalfPixelSymmetric: {
      const float center = in / 2;
      return center * (1 - out / (axis.scale * in)) + half_pixel;
    }
    case Coordinates::kPytorchHalfPixel:
      return axis.out > 1 ? half_pixel : 0;
    case Coordinates::kAlignCorners:
      return axis.out > 1 ? x * (in - 1) / (out - 1) : 0;
    case Coordinates::kAsymmetric:
      return x / axis.scale;
    case Coordinates::kTfHalfPixelForNn:
      return (x + 0.5f) / axis.scale;
    case Coordinates::kTfCropAndResize:
      break;
  }
  if (axis.out == 1) return 0.5f * (axis.roi_start + axis.roi_end) * (in - 1);
  return axis.roi_start * (in - 1) + x * (axis.roi_end - axis.roi_start) * (in - 1) / (out - 1);
}

bool IsOutside(const ResizedAxis& axis, Coordinates coordinates, float position) {
  const bool inside = position >= 0 && position <= static_cast<float>(axis.in - 1);
  return coordinates == Coordinates::kTfCropAndResize && !inside;
}

AxisOffsets NearestSamples(const ResizedAxis& axis, Coordinates coordinates,
                           const std::string& nearest_mode, int64_t stride) {
  AxisOffsets offsets(static_cast<size_t>(axis.out), kOutside);
  const float last = static_cast<float>(axis.in - 1);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float position = SourcePosition(axis, coordinates, i);
    if (IsOutside(axis, coordinates, position)) continue;
    const float near = std::clamp(position, -1.0f, last + 1);  // so that it fits an integer
    const int64_t sample = Nearest(nearest_mode, axis.scale < 1, near);
    offsets[static_cast<size_t>(i)] = std::clamp<int64_t>(sample, 0, axis.in - 1) * stride;
  }
  return offsets;
}

bool AxisFilter::IsIdentity() const {
  for (size_t k = 0; k < index.size(); ++k) {
    const bool own = static_cast<size_t>(index[k]) == k / taps;
    if (own ? weight[k] != 1 : weight[k] != 0) return false;
  }
  return std::find(outside.begin(), outside.end(), true) == outside.end();
}

AxisFilter FilterOf(const ResizedAxis& axis, Coordinates coordinates, const Kernel& kernel) {
  // When an axis shrinks, antialias stretches the kernel over the samples that fall together.
  const double shrink = kernel.antialias ? std::min(static_cast<double>(axis.scale), 1.0) : 1.0;
  const double support = (kernel.cubic ? 2 : 1) / shrink;
  const int64_t reach = static_cast<int64_t>(std::ceil(support));
  AxisFilter filter;
  filter.taps = static_cast<size_t>(std::min(2 * reach + 1, axis.in));
  const int64_t taps = static_cast<int64_t>(filter.taps);
  filter.index.resize(filter.taps * static_cast<size_t>(axis.out));
  filter.weight.resize(filter.index.size(), 0);
  filter.outside.resize(static_cast<size_t>(axis.out), false);
  const float least = static_cast<float>(-2 * reach),
              most = static_cast<float>(axis.in + 2 * reach);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float position = SourcePosition(axis, coordinates, i);
    const size_t first = static_cast<size_t>(i) * filter.taps;
    filter.outside[static_cast<size_t>(i)] = IsOutside(axis, coordinates, position);
    const double at = static_cast<double>(position >= least ? std::min(position, most) : least);
    const int64_t center = static_cast<int64_t>(std::floor(at));
    // The taps are samples `low` to low + taps - 1, all inside.
    const int64_t low = std::clamp<int64_t>(center - reach, 0, axis.in - taps);
    double total = 0;
    for (int64_t sample = center - reach; sample <= center + reach; ++sample) {
      const bool inside = sample >= 0 && sample < axis.in;
      if (kernel.exclude_outside && !inside) continue;
      const double weight = WeightAt(kernel, (static_cast<double>(sample) - at) * shrink);
      total += weight;
      AddTap(filter, first, low, axis.in, sample, weight);
    }
    for (size_t k = 0; k < filter.taps; ++k) {
      filter.index[first + k] = low + static_cast<int64_t>(k);
      if (total != 0) filter.weight[first + k] /= total;
    }
  }
  return filter;
}

}  // namespace ge::kernels
