#include "kernels/resize.h"

#include <algorithm>
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

// Adds weight * from to `to`, or starts it.
template <typename C>
void AddRow(const C* from, C weight, bool first, C* to, int64_t count) {
  Vectorised([&]() GE_INLINE {
    if (first) {
      for (int64_t i = 0; i < count; ++i) to[i] = weight * from[i];
    } else {
      for (int64_t i = 0; i < count; ++i) to[i] += weight * from[i];
    }
  });
}

// Filters `axis` of x; the dims of `shape` are those of x and become those of the result.
template <typename C>
std::vector<C> FilterAxis(const C* x, Shape& shape, size_t axis, const AxisFilter& filter,
                          int64_t size) {
  const AxisSplit split = SplitAt(shape, axis);
  shape[axis] = size;
  std::vector<C> out(static_cast<size_t>(*shape.elements()));
  const int64_t taps = static_cast<int64_t>(filter.taps);
  const std::vector<C> weights(filter.weight.begin(), filter.weight.end());
  const int64_t grain = std::max<int64_t>(kElementGrain / (split.inner * taps), 1);
  ParallelFor(split.outer * size, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t first = row % size * taps;
      const int64_t* index = filter.index.data() + first;
      const C* weight = weights.data() + first;
      const C* from = x + row / size * split.size * split.inner;
      C* to = out.data() + row * split.inner;
      if (split.inner == 1) {
        C sum = 0;
        for (int64_t k = 0; k < taps; ++k) sum += weight[k] * from[index[k]];
        *to = sum;
        continue;
      }
      bool started = false;
      for (int64_t k = 0; k < taps; ++k) {
        if (weight[k] == 0 && (started || k + 1 < taps)) continue;
        AddRow(from + index[k] * split.inner, weight[k], !started, to, split.inner);
        started = true;
      }
    }
  });
  return out;
}

// Writes `value` where an axis says that the element is outside of the samples.
template <typename C>
void Extrapolate(const std::vector<AxisFilter>& filters, const Shape& shape, C value, C* out) {
  for (size_t axis = 0; axis < filters.size(); ++axis) {
    const AxisSplit split = SplitAt(shape, axis);
    for (int64_t row = 0; row < split.outer * split.size; ++row) {
      if (!filters[axis].outside[static_cast<size_t>(row % split.size)]) continue;
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
  const auto run = [&]<typename C>(C) {
    const WideInput<C> in(x);
    Shape shape = x.shape;
    std::vector<C> current;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      if (axes[axis].in == axes[axis].out && filters[axis].IsIdentity()) continue;
      current = FilterAxis<C>(current.empty() ? in.data() : current.data(), shape, axis,
                              filters[axis], axes[axis].out);
    }
    if (current.empty()) current.assign(in.data(), in.data() + x.elements());
    Extrapolate<C>(filters, y.shape, static_cast<C>(ctx.attrs.Float("extrapolation_value")),
                   current.data());
    VisitNumbers(y.dtype, [&]<typename T>(T) {
      T* out = y.as<T>();
      for (size_t i = 0; i < current.size(); ++i) {
        if constexpr (std::is_integral_v<T>) {
          out[i] = TruncatedTo<T>(static_cast<double>(current[i]));
        } else {
          out[i] = static_cast<T>(current[i]);
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
