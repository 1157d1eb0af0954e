#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/box.h"

// Where the elements of a resized axis come from.
namespace ge::kernels {

// One axis: `in` elements become `out`.
struct ResizedAxis {
  int64_t in = 1;
  int64_t out = 1;
  float scale = 1;
  float roi_start = 0;  // for tf_crop_and_resize
  float roi_end = 1;
};

enum class Coordinates {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfHalfPixelForNn,
  kTfCropAndResize
};
std::optional<Coordinates> FindCoordinates(const std::string& name);

// The position in the input of element i of the output, in float32 as in other run times: a tie
// between two samples must break the same way.
float SourcePosition(const ResizedAxis& axis, Coordinates coordinates, int64_t i);
// Whether a position lies outside of the samples, which only a crop can bring about.
bool IsOutside(const ResizedAxis& axis, Coordinates coordinates, float position);

// For every element of the output the sample that nearest_mode picks, times `stride`; kOutside for
// the elements that take the extrapolation value.
AxisOffsets NearestSamples(const ResizedAxis& axis, Coordinates coordinates,
                           const std::string& nearest_mode, int64_t stride);

struct Kernel {
  bool cubic = false;
  float cubic_a = -0.75f;
  bool exclude_outside = false;
  bool antialias = false;
};
// Output element i is the sum of weight[k] * input[index[k]] for k from i * taps on.
struct AxisFilter {
  size_t taps = 0;
  std::vector<int64_t> index;
  std::vector<double> weight;
  std::vector<bool> outside;  // elements that take the extrapolation value

  bool IsIdentity() const;
};
AxisFilter FilterOf(const ResizedAxis& axis, Coordinates coordinates, const Kernel& kernel);

}  // namespace ge::kernels
