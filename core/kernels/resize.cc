#include "kernels/resize.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "kernels/elementwise.h"
#include "kernels/reduce_walk.h"
#include "kernels/resize_filter.h"
#include "kernels/simd.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

enum Input { kX, kRoi, kScales, kSizes };

bool IsGiven(const KernelContext& ctx, size_t i) {
  return ctx.has_input(i) && ctx.inputs[i].elements() != 0;
}

// The axes of x with what the inputs say about them.
Result<std::vector<ResizedAxis>> ResizedAxes(const KernelContext& ctx) {
  const Shape& x = ctx.inputs[kX].shape;
  const Shape& y = ctx.outputs[0].shape;
  std::vector<ResizedAxis> axes(x.rank());
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    axes[axis].in = x[axis];
    axes[axis].out = y[axis];
  }
  std::vector<int64_t> named = ctx.attrs.Ints("axes");
  if (named.empty()) {
    named.resize(x.rank());
    std::iota(named.begin(), named.end(), int64_t{0});
  }
  const bool by_scales = IsGiven(ctx, kScales);
  const auto list = ToDoubles(ctx.inputs[by_scales ? kScales : kSizes]);
  const auto roi = IsGiven(ctx, kRoi) ? ToDoubles(ctx.inputs[kRoi]) : std::vector<double>{};
  if (!list || !roi) return ctx.NotBuilt();
  const bool crops = ctx.attrs.Str("coordinate_transformation_mode") == "tf_crop_and_resize";
  if (crops && roi->size() != 2 * named.size()) {
    return ctx.Fail("roi has " + std::to_string(roi->size()) + " elements; " +
                    std::to_string(2 * named.size()) + " are accepted");
  }
  const std::string policy = ctx.attrs.Str("keep_aspect_ratio_policy");
  float common = 0;
  for (size_t i = 0; i < named.size(); ++i) {
    ResizedAxis& axis = axes[*NormalizeAxis(named[i], x.rank())];
    axis.scale = static_cast<float>((*list)[i]);
    if (!by_scales) axis.scale /= static_cast<float>(axis.in);
    if (i == 0 || (policy == "not_smaller" ? axis.scale > common : axis.scale < common)) {
      common = axis.scale;
    }
    if (!crops) continue;
    axis.roi_start = static_cast<float>((*roi)[i]);
    axis.roi_end = static_cast<float>((*roi)[named.size() + i]);
  }
  if (!by_scales && (policy == "not_smaller" || policy == "not_larger")) {
    for (const int64_t i : named) axes[*NormalizeAxis(i, x.rank())].scale = common;
  }
  return axes;
}

Status ResizeNearest(KernelContext& ctx, const std::vector<ResizedAxis>& axes,
                     Coordinates coordinates) {
  const HostTensor& x = ctx.inputs[kX];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  if (!width) return ctx.NotBuilt();
  const std::string nearest_mode = ctx.attrs.Str("nearest_mode");
  const std::vector<int64_t> strides = StridesOf(x.shape);
  std::vector<AxisOffsets> offsets;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    offsets.push_back(NearestSamples(axes[axis], coordinates, nearest_mode, strides[axis]));
  }
  uint64_t fill = 0;
  const double value = static_cast<double>(ctx.attrs.Float("extrapolation_value"));
  VisitNumbers(x.dtype, [&]<typename T>(T) {
    const T element = TruncatedTo<T>(value);
    std::copy_n(reinterpret_cast<const uint8_t*>(&element), sizeof(T),
                reinterpret_cast<uint8_t*>(&fill));
  });
  GatherBox(x.data, offsets, *width, &fill, ctx.outputs[0].data);
  return Status::Ok();
}

// The taps of a filter without zeros at their ends: element i of the output is the sum of
// weight[i * taps + k] * input[first[i] + k].
template <typename C>
struct Taps {
  explicit Taps(const AxisFilter& filter, int64_t in, int64_t out) : first(out) {
    const auto all = static_cast<int64_t>(filter.taps);
    const auto is_used = [&](int64_t tap) { return filter.weight[static_cast<size_t>(tap)] != 0; };
    std::vector<int64_t> skipped(first.size());
    for (int64_t i = 0; i < out; ++i) {
      int64_t begin = 0, end = all;
      while (end > 1 && !is_used(i * all + end - 1)) --end;
      while (begin + 1 < end && !is_used(i * all + begin)) ++begin;
      skipped[i] = begin;
      count = std::max(count, end - begin);
    }
    weight.resize(static_cast<size_t>(out * count));
    for (int64_t i = 0; i < out; ++i) {
      const int64_t low = filter.index[static_cast<size_t>(i * all)];
      first[i] = std::min(low + skipped[i], in - count);
      for (int64_t k = 0; k < count; ++k) {
        const int64_t tap = first[i] + k - low;  // before the filter's own where it was moved
        if (tap >= 0 && tap < all) {
          weight[i * count + k] = static_cast<C>(filter.weight[static_cast<size_t>(i * all + tap)]);
        }
      }
    }
  }
  int64_t count = 1;
  std::vector<int64_t> first;
  std::vector<C> weight;
};

// to = weight * from, or to += weight * from.
template <typename C>
void AddRow(const C* from, C weight, bool starts, C* to, int64_t count) {
  Vectorised([=]() GE_INLINE {
    if (starts) {
      for (int64_t i = 0; i < count; ++i) to[i] = weight * from[i];
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] += weight * from[i];
    }
  });
}

// A row of the output from the rows that its taps name; taps without weight are not read.
template <typename C>
void MixRows(const C* from, int64_t row, const C* weight, int64_t taps, C* to) {
  if (taps == 2 && weight[0] != 0 && weight[1] != 0) {
    const C w0 = weight[0], w1 = weight[1];
    const C* next = from + row;
    Vectorised([=]() GE_INLINE {
      for (int64_t i = 0; i < row; ++i) to[i] = w0 * from[i] + w1 * next[i];
    });
    return;
  }
  bool started = false;
  for (int64_t k = 0; k < taps; ++k) {
    if (weight[k] == 0 && (started || k + 1 < taps)) continue;
    AddRow(from + k * row, weight[k], !started, to, row);
    started = true;
  }
}

// Filters rows of elements along their own axis.
template <typename C>
void FilterRows(const C* from, int64_t in, const Taps<C>& taps, int64_t out, int64_t rows, C* to) {
  const int64_t* first = taps.first.data();
  const C* weight = taps.weight.data();
  const int64_t count = taps.count;
  Vectorised([=]() GE_INLINE {
    for (int64_t row = 0; row < rows; ++row) {
      const C* x = from + row * in;
      C* y = to + row * out;
      if (count == 2) {
        GE_IN_PLACE
        for (int64_t i = 0; i < out; ++i) {
          y[i] = weight[2 * i] * x[first[i]] + weight[2 * i + 1] * x[first[i] + 1];
        }
        continue;
      }
      for (int64_t i = 0; i < out; ++i) {
        C sum = 0;
        for (int64_t k = 0; k < count; ++k) sum += weight[i * count + k] * x[first[i] + k];
        y[i] = sum;
      }
    }
  });
}

// Filters `axis` of x, which has the dims `shape`, into y, which has `out` elements there.
template <typename C>
void FilterAxis(const C* x, const Shape& shape, size_t axis, const AxisFilter& filter, int64_t out,
                C* y) {
  const AxisSplit split = SplitAt(shape, axis);
  const Taps<C> taps(filter, split.size, out);
  if (split.inner == 1) {
    const int64_t grain = std::max<int64_t>(kElementGrain / (out * taps.count), 1);
    ParallelFor(split.outer, grain, [&](int64_t begin, int64_t end) {
      FilterRows(x + begin * split.size, split.size, taps, out, end - begin, y + begin * out);
    });
    return;
  }
  const int64_t grain = std::max<int64_t>(kElementGrain / (split.inner * taps.count), 1);
  ParallelFor(split.outer * out, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t i = row % out;
      const C* from = x + (row / out * split.size + taps.first[i]) * split.inner;
      MixRows(from, split.inner, taps.weight.data() + i * taps.count, taps.count,
              y + row * split.inner);
    }
  });
}

// The axes that a filter changes, in the order that has the fewest elements on the last one, where
// rows cannot be mixed as a whole.
std::vector<size_t> FilterOrder(const std::vector<ResizedAxis>& axes,
                                const std::vector<AxisFilter>& filters) {
  std::vector<size_t> shrinking, growing;
  for (size_t axis = 0; axis < axes.size(); ++axis) {
    if (axes[axis].in == axes[axis].out && filters[axis].IsIdentity()) continue;
    const bool early = axis + 1 < axes.size() && axes[axis].out < axes[axis].in;
    (early ? shrinking : growing).push_back(axis);
  }
  shrinking.insert(shrinking.end(), growing.rbegin(), growing.rend());
  return shrinking;
}

// Writes `value` where an axis says that the element is outside of the samples.
template <typename C>
void Extrapolate(const std::vector<AxisFilter>& filters, const Shape& shape, C value, C* out) {
  for (size_t axis = 0; axis < filters.size(); ++axis) {
    const std::vector<bool>& outside = filters[axis].outside;
    if (std::find(outside.begin(), outside.end(), true) == outside.end()) continue;
    const AxisSplit split = SplitAt(shape, axis);
    for (int64_t row = 0; row < split.outer * split.size; ++row) {
      if (!outside[static_cast<size_t>(row % split.size)]) continue;
      std::fill_n(out + row * split.inner, split.inner, value);
    }
  }
}

// Linear and cubic kernels are products of one kernel per axis.
Status ResizeByFilters(KernelContext& ctx, const std::vector<ResizedAxis>& axes,
                       Coordinates coordinates) {
  const Kernel kernel = {.cubic = ctx.attrs.Str("mode") == "cubic",
                         .cubic_a = ctx.attrs.Float("cubic_coeff_a"),
                         .exclude_outside = ctx.attrs.Int("exclude_outside") != 0,
                         .antialias = ctx.attrs.Int("antialias") != 0};
  std::vector<AxisFilter> filters;
  for (const ResizedAxis& axis : axes) filters.push_back(FilterOf(axis, coordinates, kernel));
  const HostTensor& x = ctx.inputs[kX];
  const HostTensor& y = ctx.outputs[0];
  const std::vector<size_t> order = FilterOrder(axes, filters);
  const auto run = [&]<typename C>(C) {
    const WideInput<C> in(x);
    // Results of the axes, the last one in place where y has the type.
    std::unique_ptr<C[]> held, wide;
    const bool own = y.dtype == (std::is_same_v<C, float> ? DataType::kFloat : DataType::kDouble);
    const auto elements = static_cast<size_t>(y.elements());
    if (!own) wide = std::make_unique_for_overwrite<C[]>(elements);
    C* const result = own ? y.as<C>() : wide.get();
    Shape shape = x.shape;
    const C* from = in.data();
    for (const size_t axis : order) {
      Shape next = shape;
      next[axis] = axes[axis].out;
      std::unique_ptr<C[]> other;
      C* to = result;
      if (axis != order.back()) {
        other = std::make_unique_for_overwrite<C[]>(static_cast<size_t>(*next.elements()));
        to = other.get();
      }
      FilterAxis<C>(from, shape, axis, filters[axis], axes[axis].out, to);
      held = std::move(other);
      from = to;
      shape = next;
    }
    if (order.empty()) std::copy_n(from, elements, result);
    Extrapolate<C>(filters, y.shape, static_cast<C>(ctx.attrs.Float("extrapolation_value")),
                   result);
    if (own) return;
    const bool rounds = kernel.cubic || kernel.antialias;  // else onnxruntime truncates
    VisitNumbers(y.dtype, [&]<typename T>(T) {
      T* out = y.as<T>();
      for (size_t i = 0; i < elements; ++i) {
        if constexpr (std::is_integral_v<T>) {
          const auto value = static_cast<double>(result[i]);
          out[i] = TruncatedTo<T>(rounds ? std::nearbyint(value) : value);
        } else {
          out[i] = static_cast<T>(result[i]);
        }
      }
    });
  };
  if (!VisitNumbers(x.dtype, [](auto) {})) return ctx.NotBuilt();
  if (x.dtype == DataType::kDouble) {
    run(double());
  } else {
    run(float());
  }
  return Status::Ok();
}

}  // namespace

Status Resize(KernelContext& ctx) {
  if (ctx.outputs[0].elements() == 0) return Status::Ok();
  GE_ASSIGN(const std::vector<ResizedAxis> axes, ResizedAxes(ctx));
  const std::optional<Coordinates> coordinates =
      FindCoordinates(ctx.attrs.Str("coordinate_transformation_mode"));
  if (!coordinates) return ctx.NotBuilt();
  if (ctx.attrs.Str("mode") == "nearest") return ResizeNearest(ctx, axes, *coordinates);
  return ResizeByFilters(ctx, axes, *coordinates);
}

}  // namespace ge::kernels
