#include "kernels/norm.h"

#include <algorithm>
#include <cmath>

#include "kernels/row_sum.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

struct Moments {
  double mean = 0;
  double variance = 0;
};

template <typename C>
Moments MomentsOf(const C* x, int64_t count) {
  const double size = static_cast<double>(count);
  Moments moments;
  Vectorised([&]() GE_INLINE {
    moments.mean = LaneSum<C>(count, [x](int64_t i) GE_INLINE { return x[i]; }) / size;
    const C mean = static_cast<C>(moments.mean);
    moments.variance = LaneSum<C>(count, [x, mean](int64_t i)
                                             GE_INLINE { return (x[i] - mean) * (x[i] - mean); }) /
                       size;
  });
  return moments;
}

// out = (x - mean) * scale + shift.
template <typename C>
void Affine(const C* x, C* out, int64_t count, double mean, double scale, double shift) {
  const C m = static_cast<C>(mean), s = static_cast<C>(scale), b = static_cast<C>(shift);
  Vectorised([&]() GE_INLINE {
    for (int64_t i = 0; i < count; ++i) out[i] = (x[i] - m) * s + b;
  });
}

// How many rows of `size` elements are worth a thread.
int64_t RowGrain(int64_t size) {
  return std::max<int64_t>(kElementGrain / std::max<int64_t>(size, 1), 1);
}

// Writes element i of a result that may have been left out.
void StoreStatistic(const KernelContext& ctx, size_t output, int64_t i, double value) {
  if (output >= ctx.outputs.size() || ctx.outputs[output].data == nullptr) return;
  const HostTensor& out = ctx.outputs[output];
  VisitFloats(out.dtype, [&]<typename T>(T) { out.as<T>()[i] = static_cast<T>(value); });
}

// Normalises x, seen as [batch, groups, members, inner], over members and inner.  gamma and beta
// have one element for each of the groups * members channels.
Status NormalizeGroups(KernelContext& ctx, int64_t groups, float epsilon) {
  const HostTensor& x = ctx.inputs[0];
  const int64_t channels = x.shape[1];
  const int64_t members = channels / std::max<int64_t>(groups, 1);
  int64_t inner = 1;
  for (size_t axis = 2; axis < x.shape.rank(); ++axis) inner *= x.shape[axis];
  const int64_t size = members * inner;
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x), gamma(ctx.inputs[1]), beta(ctx.inputs[2]);
    WideOutput<C> out(ctx.outputs[0]);
    ParallelFor(x.shape[0] * groups, RowGrain(size), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const Moments moments = MomentsOf(in.data() + row * size, size);
        StoreStatistic(ctx, 1, row, moments.mean);
        StoreStatistic(ctx, 2, row, moments.variance);
        const double rstd = 1 / std::sqrt(moments.variance + static_cast<double>(epsilon));
        for (int64_t member = 0; member < members; ++member) {
          const int64_t channel = row % groups * members + member;
          const int64_t at = row * size + member * inner;
          Affine(in.data() + at, out.data() + at, inner, moments.mean,
                 rstd * static_cast<double>(gamma[channel]), static_cast<double>(beta[channel]));
        }
      }
    });
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

// One row of LayerNorm: out = (x - mean) * rstd * gamma + beta.  The parameters repeat every
// `period` elements, which divides `count`; beta may be null.
template <typename C>
void ScaleRow(const C* x, C* out, int64_t count, Moments moments, double rstd, const C* gamma,
              const C* beta, int64_t period) {
  const C mean = static_cast<C>(moments.mean), scale = static_cast<C>(rstd);
  for (int64_t begin = 0; begin < count; begin += period) {
    const C* from = x + begin;
    C* to = out + begin;
    if (beta == nullptr) {
      Vectorised([&]() GE_INLINE {
        for (int64_t i = 0; i < period; ++i) to[i] = from[i] * scale * gamma[i];
      });
    } else {
      Vectorised([&]() GE_INLINE {
        for (int64_t i = 0; i < period; ++i) to[i] = (from[i] - mean) * scale * gamma[i] + beta[i];
      });
    }
  }
}

// statistics(moments): what is written to output 2, and the factor of the row.
template <typename Statistics>
Status NormalizeRows(KernelContext& ctx, size_t begin_axis, bool centred, Statistics statistics) {
  const HostTensor& x = ctx.inputs[0];
  int64_t rows = 1, size = 1;
  for (size_t axis = 0; axis < x.shape.rank(); ++axis) {
    (axis < begin_axis ? rows : size) *= x.shape[axis];
  }
  const int64_t params = ctx.inputs[1].elements();
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x), gamma(ctx.inputs[1]);
    const WideInput<C> beta(centred ? ctx.inputs[2] : ctx.inputs[1]);
    WideOutput<C> out(ctx.outputs[0]);
    ParallelFor(rows, RowGrain(size), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const C* from = in.data() + row * size;
        Moments moments;
        if (centred) {
          moments = MomentsOf(from, size);
        } else {
          Vectorised([&]() GE_INLINE {
            moments.variance =
                LaneSum<C>(size, [from](int64_t i) GE_INLINE { return from[i] * from[i]; }) /
                static_cast<double>(size);
          });
        }
        const double rstd = statistics(row, moments);
        if (params == 0) continue;
        const int64_t at = row * size % params;
        ScaleRow(from, out.data() + row * size, size, moments, rstd, gamma.data() + at,
                 centred ? beta.data() + at : nullptr, std::min(params, size));
      }
    });
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

Status LayerNormWith(KernelContext& ctx, bool wants_rstd) {
  const std::optional<size_t> axis =
      NormalizeAxis(ctx.attrs.Int("begin_norm_axis"), ctx.inputs[0].shape.rank());
  if (!axis) return ctx.Fail("begin_norm_axis is outside " + ctx.inputs[0].shape.ToString());
  const double epsilon = static_cast<double>(ctx.attrs.Float("epsilon"));
  return NormalizeRows(ctx, *axis, true, [&](int64_t row, const Moments& moments) {
    const double rstd = 1 / std::sqrt(moments.variance + epsilon);
    StoreStatistic(ctx, 1, row, moments.mean);
    StoreStatistic(ctx, 2, row, wants_rstd ? rstd : moments.variance);
    return rstd;
  });
}

}  // namespace

Status BatchNorm(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const int64_t channels = x.shape.rank() < 2 ? 1 : x.shape[1];
  int64_t inner = 1;
  for (size_t axis = 2; axis < x.shape.rank(); ++axis) inner *= x.shape[axis];
  const double epsilon = static_cast<double>(ctx.attrs.Float("epsilon"));
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x);
    const WideInput<double> scale(ctx.inputs[1]), offset(ctx.inputs[2]), mean(ctx.inputs[3]),
        variance(ctx.inputs[4]);
    WideOutput<C> out(ctx.outputs[0]);
    ParallelFor(x.shape[0] * channels, RowGrain(inner), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t channel = row % channels;
        Affine(in.data() + row * inner, out.data() + row * inner, inner, mean[channel],
               scale[channel] / std::sqrt(variance[channel] + epsilon), offset[channel]);
      }
    });
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

Status InstanceNorm(KernelContext& ctx) {
  return NormalizeGroups(ctx, ctx.inputs[0].shape[1], ctx.attrs.Float("epsilon"));
}

Status GroupNorm(KernelContext& ctx) {
  return NormalizeGroups(ctx, ctx.attrs.Int("num_groups"), ctx.attrs.Float("eps"));
}

Status LayerNorm(KernelContext& ctx) {
  return LayerNormWith(ctx, false);
}

Status LayerNormV3(KernelContext& ctx) {
  return LayerNormWith(ctx, true);
}

Status RmsNorm(KernelContext& ctx) {
  const size_t begin = ctx.inputs[0].shape.rank() - ctx.inputs[1].shape.rank();
  const double epsilon = static_cast<double>(ctx.attrs.Float("epsilon"));
  return NormalizeRows(ctx, begin, false, [&](int64_t row, const Moments& moments) {
    const double rstd = 1 / std::sqrt(moments.variance + epsilon);
    StoreStatistic(ctx, 1, row, rstd);
    return rstd;
  });
}

Status Lrn(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const int64_t channels = x.shape[1], plane = x.shape[2] * x.shape[3];
  const int64_t radius = std::min(ctx.attrs.Int("depth_radius"), channels);
  const float bias = ctx.attrs.Float("bias"), alpha = ctx.attrs.Float("alpha");
  const float beta = ctx.attrs.Float("beta");
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x);
    WideOutput<C> out(ctx.outputs[0]);
    ParallelFor(x.shape[0] * channels, RowGrain(plane), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t channel = row % channels;
        const int64_t first = std::max<int64_t>(channel - radius, 0);
        const int64_t last = std::min(channel + radius, channels - 1);
        const C* from = in.data() + row * plane;
        C* to = out.data() + row * plane;
        std::fill_n(to, plane, C{0});
        for (int64_t c = first; c <= last; ++c) {
          const C* other = from + (c - channel) * plane;
          for (int64_t i = 0; i < plane; ++i) to[i] += other[i] * other[i];
        }
        for (int64_t i = 0; i < plane; ++i) {
          const C base = static_cast<C>(bias) + static_cast<C>(alpha) * to[i];
          to[i] = from[i] / (beta == 0.75f ? std::sqrt(base) * std::sqrt(std::sqrt(base))
                                           : std::pow(base, static_cast<C>(beta)));
        }
      }
    });
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
