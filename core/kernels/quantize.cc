#include "kernels/quantize.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.h"
#include "kernels/elementwise.h"
#include "kernels/float8.h"
#include "kernels/reduce_walk.h"
#include "kernels/simd.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Which of the scales an element has: outer x axis x inner elements.
struct ScaleGrid {
  AxisSplit split;
  int64_t block;  // elements of the axis that share a scale
  bool single;    // one for all
  bool per_axis;  // one for each index of the axis

  int64_t IndexOf(int64_t element) const {
    if (single) return 0;
    const int64_t on_axis = element / split.inner % split.size;
    if (per_axis) return on_axis;
    const int64_t blocks = (split.size - 1) / block + 1;
    const int64_t outer = element / split.inner / split.size;
    return (outer * blocks + on_axis / block) * split.inner + element % split.inner;
  }
};

ScaleGrid GridOf(const KernelContext& ctx) {
  const Shape& x = ctx.inputs[0].shape;
  ScaleGrid grid = {{}, ctx.attrs.Int("block_size"), ctx.inputs[1].elements() == 1, false};
  if (grid.single) return grid;
  grid.split = SplitAt(x, *NormalizeAxis(ctx.attrs.Int("axis"), x.rank()));
  grid.per_axis = grid.block == 0;
  return grid;
}

std::optional<std::vector<double>> ZeroPoints(const HostTensor& tensor) {
  if (!IsNarrow(tensor.dtype)) return ToDoubles(tensor);
  const int bits = RowOf(tensor.dtype).bits;
  std::vector<double> points;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    const uint8_t code = UnpackNarrow(tensor.as<uint8_t>(), bits, i);
    points.push_back(static_cast<double>(NarrowToFloat(tensor.dtype, code)));
  }
  return points;
}

// Writes element i of a result of dtype `dtype`.
class Writer {
 public:
  Writer(const HostTensor& y, bool saturate) : y_(y), saturate_(saturate) {}

  void Write(int64_t i, float ratio, double zero_point) const {
    switch (y_.dtype) {
      case DataType::kUint8:
        return Put<uint8_t>(i, ratio, zero_point);
      case DataType::kInt8:
        return Put<int8_t>(i, ratio, zero_point);
      case DataType::kUint16:
        return Put<uint16_t>(i, ratio, zero_point);
      case DataType::kInt16:
        return Put<int16_t>(i, ratio, zero_point);
      case DataType::kInt32:
        return Put<int32_t>(i, ratio, zero_point);
      default:
        return PutNarrow(i, ratio, zero_point);
    }
  }

 private:
  static double Rounded(float ratio) {
    return std::isnan(ratio) ? 0 : static_cast<double>(std::nearbyint(ratio));
  }
  template <typename T>
  void Put(int64_t i, float ratio, double zero_point) const {
    y_.as<T>()[i] = TruncatedTo<T>(Rounded(ratio) + zero_point);
  }

  // Elements that share a byte are written in order.
  void PutNarrow(int64_t i, float ratio, double zero_point) const {
    const int bits = RowOf(y_.dtype).bits;
    double value = static_cast<double>(ratio + static_cast<float>(zero_point));
    if (IsInteger(y_.dtype)) {
      const double low = y_.dtype == DataType::kUint2 ? 0 : -(1 << (bits - 1));
      value = std::clamp(Rounded(ratio) + zero_point, low, low + (1 << bits) - 1);
    }
    const int code = ToNarrow(y_.dtype, value, {.saturate = saturate_});
    const int64_t per_byte = 8 / bits;
    uint8_t& byte = y_.as<uint8_t>()[i / per_byte];
    const int kept = i % per_byte == 0 ? 0 : byte;
    byte = static_cast<uint8_t>(kept | code << (i % per_byte * bits));
  }

  const HostTensor& y_;
  bool saturate_;
};

// `ratio` rounded to an integer, halves to even, where it is less than 2^20; beyond, that or less
// with its sign.  NaN gives 0.
GE_INLINE inline int32_t RoundedNear(float ratio) {
  const auto bits = std::bit_cast<int32_t>(ratio);
  // Limits as integers, which order positive floats in the same way, are one instruction each.
  const int32_t magnitude = std::min(bits & INT32_MAX, std::bit_cast<int32_t>(0x1p20f));
  // Adding 1.5 * 2^23 rounds, and leaves the integer in the low bits.
  constexpr float kMagic = 12582912.0f;
  const float sum = std::bit_cast<float>((bits & INT32_MIN) | magnitude) + kMagic;
  const int32_t whole = std::bit_cast<int32_t>(sum) - std::bit_cast<int32_t>(kMagic);
  return ratio == ratio ? whole : 0;
}

// y = round(x / scale) + zero point for `count` neighbours.  With kEach, every element has its own
// scale and zero point; else the first are for all.
template <bool kEach, typename X, typename Y>
void QuantizeRow(const X* x, const float* scales, const int32_t* points, Y* y, int64_t count) {
  Vectorised([=]() GE_INLINE {
    constexpr int32_t kLow = std::numeric_limits<Y>::min(), kHigh = std::numeric_limits<Y>::max();
    const float scale = scales[0];
    const int32_t point = points[0];
    for (int64_t i = 0; i < count; ++i) {
      const float ratio = static_cast<float>(x[i]) / (kEach ? scales[i] : scale);
      const int32_t sum = RoundedNear(ratio) + (kEach ? points[i] : point);
      y[i] = static_cast<Y>(std::min(std::max(sum, kLow), kHigh));
    }
  });
}

// Rows of elements that share a scale, or that have one each.  False for blocks of scales and for
// results that are not integers of 8 or 16 bits.
bool QuantizeRows(const HostTensor& x, const ScaleGrid& grid, const std::vector<double>& scales,
                  const std::vector<double>& points, const HostTensor& y) {
  if (!grid.single && !grid.per_axis) return false;
  const std::vector<float> scale(scales.begin(), scales.end());
  std::vector<int32_t> point(points.begin(), points.end());
  point.resize(scale.size(), point[0]);
  const bool each = grid.per_axis && grid.split.inner == 1;
  const int64_t row = grid.single ? x.elements() : each ? grid.split.size : grid.split.inner;
  const auto run = [&]<typename X, typename Y>(X, Y) {
    const auto part = [&](int64_t first, int64_t at, int64_t count) {
      const X* from = x.as<X>() + at;
      Y* to = y.as<Y>() + at;
      if (each)
        return QuantizeRow<true>(from, scale.data() + first, point.data() + first, to, count);
      QuantizeRow<false>(from, scale.data() + first, point.data() + first, to, count);
    };
    if (grid.single) {
      ParallelFor(row, kElementGrain,
                  [&](int64_t begin, int64_t end) { part(0, begin, end - begin); });
      return;
    }
    ParallelFor(x.elements() / row, std::max<int64_t>(kElementGrain / row, 1),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    part(each ? 0 : i % grid.split.size, i * row, row);
                  }
                });
  };
  bool built = false;
  VisitFloats(x.dtype, [&]<typename X>(X wide) {
    if constexpr (!std::is_same_v<X, double>) {
      VisitIntegers(y.dtype, [&]<typename Y>(Y narrow) {
        if constexpr (std::is_integral_v<Y> && sizeof(Y) < 4) {
          run(wide, narrow);
          built = true;
        }
      });
    }
  });
  return built;
}

// The least and the greatest of x and 0.
std::pair<float, float> BoundsOf(const float* x, int64_t count) {
  float low = 0, high = 0;
  float* const low_out = &low;
  float* const high_out = &high;
  Vectorised([=]() GE_INLINE {
    // One pair per lane, so that the order of comparisons does not bind the loop.
    constexpr int64_t kLanes = 64;
    float lows[kLanes] = {}, highs[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        const float value = x[i + lane];
        lows[lane] = value < lows[lane] ? value : lows[lane];
        highs[lane] = value > highs[lane] ? value : highs[lane];
      }
    }
    for (; i < count; ++i) {
      lows[0] = x[i] < lows[0] ? x[i] : lows[0];
      highs[0] = x[i] > highs[0] ? x[i] : highs[0];
    }
    *low_out = *std::min_element(lows, lows + kLanes);
    *high_out = *std::max_element(highs, highs + kLanes);
  });
  return {low, high};
}

}  // namespace

Levels LevelsOf(const float* x, int64_t count) {
  const auto [low, high] = BoundsOf(x, count);
  Levels levels;
  if (high != low) levels.scale = (high - low) / 255;
  const float zero = -low / levels.scale;
  levels.zero = static_cast<uint8_t>(std::nearbyint(zero > 0 ? std::min(zero, 255.0f) : 0.0f));
  return levels;
}

void QuantizeTo(Levels levels, const float* x, int64_t count, uint8_t* y) {
  const int32_t zero = levels.zero;
  ParallelFor(count, kElementGrain, [&](int64_t begin, int64_t end) {
    QuantizeRow<false>(x + begin, &levels.scale, &zero, y + begin, end - begin);
  });
}

Status DynamicQuant(KernelContext& ctx) {
  if (!IsFloat(ctx.inputs[0].dtype) || ctx.inputs[0].dtype == DataType::kDouble) {
    return ctx.NotBuilt();
  }
  const WideInput<float> x(ctx.inputs[0]);
  const int64_t count = ctx.inputs[0].elements();
  const Levels levels = LevelsOf(x.data(), count);
  QuantizeTo(levels, x.data(), count, ctx.outputs[0].as<uint8_t>());
  *ctx.outputs[1].as<float>() = levels.scale;
  *ctx.outputs[2].as<uint8_t>() = levels.zero;
  return Status::Ok();
}

Status Quantize(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &y = ctx.outputs[0];
  const std::optional<std::vector<double>> scales = ToDoubles(ctx.inputs[1]);
  std::optional<std::vector<double>> points = std::vector<double>{0};
  if (ctx.has_input(2)) points = ZeroPoints(ctx.inputs[2]);
  if (!scales || !points) return ctx.NotBuilt();
  const int64_t count = x.elements();
  if (count == 0) return Status::Ok();
  const ScaleGrid grid = GridOf(ctx);
  if (QuantizeRows(x, grid, *scales, *points, y)) return Status::Ok();
  const bool one_point = points->size() == 1;
  const bool saturate = !ctx.attrs.Has("saturate") || ctx.attrs.Bool("saturate");
  const Writer writer(y, saturate);
  const bool built = VisitFloats(x.dtype, [&]<typename T>(T) {
    // Elements of 2 bits share a byte by fours.
    ParallelFor((count + 3) / 4, 2048, [&](int64_t begin, int64_t end) {
      for (int64_t i = 4 * begin; i < std::min(4 * end, count); ++i) {
        const auto at = static_cast<size_t>(grid.IndexOf(i));
        const float ratio = static_cast<float>(x.as<T>()[i]) / static_cast<float>((*scales)[at]);
        writer.Write(i, ratio, (*points)[one_point ? 0 : at]);
      }
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
