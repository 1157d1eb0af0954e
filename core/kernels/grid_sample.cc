#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/vision.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

enum class Mode { kNearest, kLinear, kCubic };
enum class Padding { kZeros, kBorder, kReflection };

// Samples along one axis: index -1 stands for a zero.
struct Taps {
  int count = 0;
  int64_t index[4];
  double weight[4];
};

// Folds `x` back at `low` and `high` until it lies between them.
double Reflect(double x, double low, double high) {
  const double range = high - low;
  if (range <= 0) return low;
  if (x >= low && x <= high) return x;
  const double distance = x < low ? low - x : x - high;
  const double turns = std::floor(distance / range);
  const double rest = distance - turns * range;
  const bool from_low = (x < low) == (std::fmod(turns, 2) == 0);
  return from_low ? low + rest : high - rest;
}

// One spatial axis of the input.
struct Axis {
  int64_t size;
  double low, high;  // where reflection turns
  bool align_corners;
  Mode mode;
  Padding padding;

  // The sample at `index` under the padding.
  int64_t Sample(int64_t index) const {
    if (index >= 0 && index < size) return index;
    if (padding == Padding::kZeros) return -1;
    double inside = static_cast<double>(index);
    if (padding == Padding::kReflection) inside = Reflect(inside, low, high);
    return std::clamp<int64_t>(static_cast<int64_t>(inside), 0, size - 1);
  }

  // The taps for a grid value, -1 and 1 being the ends of the axis.
  Taps At(double normalized) const {
    const double length = static_cast<double>(size);
    double x =
        align_corners ? (normalized + 1) / 2 * (length - 1) : ((normalized + 1) * length - 1) / 2;
    if (mode == Mode::kNearest) x = std::nearbyint(x);
    if (x < low || x > high) {
      if (padding == Padding::kBorder) x = std::clamp(x, 0.0, length - 1);
      if (padding == Padding::kReflection) x = Reflect(x, low, high);
    }
    // Far outside every tap is outside, and NaN counts as far outside; what is left fits integers.
    x = x >= -4 ? std::min(x, length + 4) : -4;
    const double floor = std::floor(x);
    const int64_t first = static_cast<int64_t>(floor);
    const double t = x - floor;
    Taps taps;
    const auto add = [&](int64_t index, double weight) {
      taps.index[taps.count] = Sample(index);
      taps.weight[taps.count++] = weight;
    };
    switch (mode) {
      case Mode::kNearest:
        add(first, 1);
        break;
      case Mode::kLinear:
        add(first, 1 - t);
        add(first + 1, t);
        break;
      case Mode::kCubic:
        for (int64_t k = -1; k <= 2; ++k) add(first + k, CubicWeight(t - static_cast<double>(k)));
        break;
    }
    return taps;
  }

  static double CubicWeight(double distance) {
    constexpr double a = -0.75;
    const double x = std::fabs(distance);
    return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  }
};

// Samples of the input with their weights, for one position.  Offset -1 stands for a zero.
template <typename C>
struct Samples {
  int count = 0;
  int64_t offset[64];
  C weight[64];

  // Multiplies by the taps of the next axis, which is `size` long; the outermost comes first.
  void Multiply(const Taps& taps, int64_t size) {
    const Samples outer = *this;
    count = 0;
    for (int i = 0; i < outer.count; ++i) {
      for (int k = 0; k < taps.count; ++k) {
        const bool is_zero = taps.index[k] < 0 || outer.offset[i] < 0;
        offset[count] = is_zero ? -1 : outer.offset[i] * size + taps.index[k];
        weight[count++] = outer.weight[i] * static_cast<C>(taps.weight[k]);
      }
    }
  }
};

constexpr int64_t kBlock = 2048;  // positions

// The samples of neighbouring positions; each has as many.
template <typename C>
class Block {
 public:
  // The grid has the innermost axis first.
  void Find(const std::vector<Axis>& axes, const double* grid, int64_t positions) {
    positions_ = positions;
    offset_.clear();
    weight_.clear();
    Samples<C> samples{};
    for (int64_t i = 0; i < positions; ++i, grid += axes.size()) {
      samples.count = 1;
      samples.offset[0] = 0;
      samples.weight[0] = 1;
      for (size_t axis = 0; axis < axes.size(); ++axis) {
        samples.Multiply(axes[axis].At(grid[axes.size() - 1 - axis]), axes[axis].size);
      }
      offset_.insert(offset_.end(), samples.offset, samples.offset + samples.count);
      weight_.insert(weight_.end(), samples.weight, samples.weight + samples.count);
    }
    taps_ = samples.count;
  }

  // The weighted sums of one channel.
  void Sum(const C* from, C* out) const {
    if (taps_ == 1) return SumOf(from, out, std::integral_constant<int, 1>());
    if (taps_ == 4) return SumOf(from, out, std::integral_constant<int, 4>());
    SumOf(from, out, taps_);
  }

 private:
  template <typename Count>
  void SumOf(const C* from, C* out, Count taps) const {
    using Bits = std::conditional_t<std::is_same_v<C, float>, uint32_t, uint64_t>;
    const int64_t* offset = offset_.data();
    const C* weight = weight_.data();
    for (int64_t i = 0; i < positions_; ++i) {
      C sum = 0;
      for (int k = 0; k < taps; ++k) {
        // Without a branch: which samples are outside cannot be foreseen.
        const int64_t at = *offset++, inside = ~(at >> 63);
        const Bits bits = std::bit_cast<Bits>(from[at & inside]) & static_cast<Bits>(inside);
        sum += *weight++ * std::bit_cast<C>(bits);
      }
      out[i] = sum;
    }
  }

  int64_t positions_ = 0;
  int taps_ = 0;  // of a position
  std::vector<int64_t> offset_;
  std::vector<C> weight_;
};

std::vector<Axis> SpatialAxes(const KernelContext& ctx) {
  const std::string mode = ctx.attrs.Str("interpolation_mode");
  const std::string padding = ctx.attrs.Str("padding_mode");
  const Shape& x = ctx.inputs[0].shape;
  std::vector<Axis> axes;
  for (size_t i = 2; i < x.rank(); ++i) {
    Axis axis;
    axis.size = x[i];
    axis.align_corners = ctx.attrs.Bool("align_corners");
    axis.low = axis.align_corners ? 0 : -0.5;
    axis.high = static_cast<double>(x[i]) - (axis.align_corners ? 1 : 0.5);
    axis.mode = mode == "nearest"   ? Mode::kNearest
                : mode == "bicubic" ? Mode::kCubic
                                    : Mode::kLinear;
    axis.padding = padding == "zeros"    ? Padding::kZeros
                   : padding == "border" ? Padding::kBorder
                                         : Padding::kReflection;
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace

Status GridSample(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const HostTensor& y = ctx.outputs[0];
  if (y.elements() == 0) return Status::Ok();
  const std::vector<Axis> axes = SpatialAxes(ctx);
  const size_t rank = axes.size();
  const int64_t batch = x.shape[0], channels = x.shape[1];
  int64_t plane = 1;
  for (const Axis& axis : axes) plane *= axis.size;
  const int64_t positions = y.elements() / (batch * channels);
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x);
    const WideInput<double> grid(ctx.inputs[1]);
    WideOutput<C> out(y);
    // The samples of a block of positions are found once, for all channels.
    const int64_t blocks = (positions + kBlock - 1) / kBlock;
    const int64_t grain = std::max<int64_t>(kElementGrain / (channels * 8 * kBlock), 1);
    ParallelFor(batch * blocks, grain, [&](int64_t begin, int64_t end) {
      Block<C> block;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t n = i / blocks, first = i % blocks * kBlock;
        const int64_t count = std::min(kBlock, positions - first);
        block.Find(axes, grid.data() + (n * positions + first) * static_cast<int64_t>(rank), count);
        for (int64_t c = 0; c < channels; ++c) {
          const int64_t map = n * channels + c;
          block.Sum(in.data() + map * plane, out.data() + map * positions + first);
        }
      }
    });
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
