#include "kernels/softmax.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "kernels/reduce_walk.h"
#include "kernels/row_sum.h"
#include "kernels/vector_math.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

template <typename C>
constexpr C kLowest = -std::numeric_limits<C>::infinity();

// NaN does not count; the exponentials pass it on.
template <typename C>
GE_INLINE inline C GreatestOf(const C* x, int64_t count) {
  constexpr int64_t kLanes = 16;
  // A vector, so that the lanes stay in registers.
  typedef C Vector __attribute__((vector_size(kLanes * sizeof(C)), aligned(alignof(C)), may_alias));
  Vector greatest = Vector{} + kLowest<C>;
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vector values = *reinterpret_cast<const Vector*>(x + i);
    greatest = values > greatest ? values : greatest;
  }
  C lanes[kLanes];
  std::memcpy(lanes, &greatest, sizeof(lanes));
  for (; i < count; ++i) lanes[0] = x[i] > lanes[0] ? x[i] : lanes[0];
  for (int64_t half = kLanes / 2; half > 0; half /= 2) {
    for (int64_t lane = 0; lane < half; ++lane) {
      lanes[lane] = lanes[lane + half] > lanes[lane] ? lanes[lane + half] : lanes[lane];
    }
  }
  return lanes[0];
}

// One row that lies in consecutive elements.
template <typename C>
GE_INLINE inline void Row(const C* x, C* out, int64_t count, bool logarithm) {
  const C greatest = GreatestOf(x, count);
  if (logarithm) {
    GE_IN_PLACE
    for (int64_t i = 0; i < count; ++i) out[i] = x[i] - greatest;
    const double sum = LaneSum<C>(count, [out](int64_t i) GE_INLINE { return vec::Exp(out[i]); });
    const C log = static_cast<C>(std::log(sum));
    for (int64_t i = 0; i < count; ++i) out[i] = out[i] - log;
  } else {
    GE_IN_PLACE
    for (int64_t i = 0; i < count; ++i) out[i] = vec::Exp(x[i] - greatest);
    const C sum = static_cast<C>(LaneSum<C>(count, [out](int64_t i) GE_INLINE { return out[i]; }));
    for (int64_t i = 0; i < count; ++i) out[i] = out[i] / sum;
  }
}

constexpr int64_t kColumns = 256;

// `columns` (at most kColumns) neighbouring rows whose elements are `stride` apart.
template <typename C>
void Columns(const C* x, C* out, int64_t count, int64_t stride, int64_t columns, bool logarithm) {
  C greatest[kColumns], sum[kColumns];
  std::fill_n(greatest, columns, kLowest<C>);
  std::fill_n(sum, columns, C{0});
  Vectorised([&]() GE_INLINE {
    for (int64_t i = 0; i < count; ++i) {
      const C* from = x + i * stride;
      for (int64_t j = 0; j < columns; ++j) {
        greatest[j] = from[j] > greatest[j] ? from[j] : greatest[j];
      }
    }
    for (int64_t i = 0; i < count; ++i) {
      const C* from = x + i * stride;
      C* to = out + i * stride;
      GE_IN_PLACE
      for (int64_t j = 0; j < columns; ++j) {
        const C shifted = from[j] - greatest[j];
        const C e = vec::Exp(shifted);
        sum[j] += e;
        to[j] = logarithm ? shifted : e;
      }
    }
    if (logarithm) {
      for (int64_t j = 0; j < columns; ++j) sum[j] = std::log(sum[j]);
    }
    for (int64_t i = 0; i < count; ++i) {
      C* to = out + i * stride;
      if (logarithm) {
        for (int64_t j = 0; j < columns; ++j) to[j] -= sum[j];
      } else {
        for (int64_t j = 0; j < columns; ++j) to[j] /= sum[j];
      }
    }
  });
}

template <typename C>
void OverBlock(const C* x, C* out, const AxisSplit& split, bool logarithm) {
  if (split.inner == 1) {
    const int64_t grain = std::max<int64_t>(kElementGrain / std::max<int64_t>(split.size, 1), 1);
    ParallelFor(split.outer, grain, [&](int64_t begin, int64_t end) {
      const int64_t size = split.size;
      Vectorised([=]() GE_INLINE {
        for (int64_t row = begin; row < end; ++row) {
          Row(x + row * size, out + row * size, size, logarithm);
        }
      });
    });
    return;
  }
  const int64_t groups = (split.inner + kColumns - 1) / kColumns;
  ParallelFor(split.outer * groups, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % groups * kColumns;
      const int64_t at = i / groups * split.size * split.inner + column;
      Columns(x + at, out + at, split.size, split.inner, std::min(kColumns, split.inner - column),
              logarithm);
    }
  });
}

// Axes that are not neighbours.
template <typename C>
void OverGroups(const C* x, C* out, const Shape& shape, const Shape& kept, bool logarithm) {
  const size_t groups = static_cast<size_t>(*kept.elements());
  std::vector<C> greatest(groups, kLowest<C>), sum(groups, 0);
  WalkGroups(shape, kept, [&](int64_t group, int64_t i) {
    C& value = greatest[static_cast<size_t>(group)];
    value = std::max(value, x[i]);
  });
  WalkGroups(shape, kept, [&](int64_t group, int64_t i) {
    out[i] = x[i] - greatest[static_cast<size_t>(group)];
    sum[static_cast<size_t>(group)] += vec::Exp(out[i]);
  });
  WalkGroups(shape, kept, [&](int64_t group, int64_t i) {
    const C total = sum[static_cast<size_t>(group)];
    out[i] = logarithm ? out[i] - std::log(total) : vec::Exp(out[i]) / total;
  });
}

Status Softmax(KernelContext& ctx, bool logarithm) {
  const HostTensor& x = ctx.inputs[0];
  if (x.elements() == 0) return Status::Ok();
  const Shape kept = KeepDims(x.shape, ctx.attrs.Ints("axes"));
  const std::optional<AxisSplit> split = SplitAtBlock(x.shape, kept);
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x);
    WideOutput<C> out(ctx.outputs[0]);
    if (split) {
      OverBlock(in.data(), out.data(), *split, logarithm);
    } else {
      OverGroups(in.data(), out.data(), x.shape, kept, logarithm);
    }
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace

Status SoftmaxV2(KernelContext& ctx) {
  return Softmax(ctx, false);
}

Status LogSoftmaxV2(KernelContext& ctx) {
  return Softmax(ctx, true);
}

Status MaskedSoftmaxWithRelPosBias(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  if (x.elements() == 0) return Status::Ok();
  const size_t rank = x.shape.rank();
  const int64_t size = x.shape[rank - 1], rows = x.shape[rank - 2], heads = x.shape[rank - 3];
  const float scale = ctx.attrs.Float("scale_value");
  const bool built = VisitWide(x.dtype, [&]<typename C>(C) {
    const WideInput<C> in(x), bias(ctx.inputs[2]);
    const std::optional<WideInput<C>> mask =
        ctx.has_input(1) ? std::optional<WideInput<C>>(ctx.inputs[1]) : std::nullopt;
    const int64_t windows = mask ? ctx.inputs[1].elements() / (rows * size) : 1;
    WideOutput<C> out(ctx.outputs[0]);
    const int64_t grain = std::max<int64_t>(kElementGrain / size, 1);
    ParallelFor(x.elements() / size, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t window = row / rows / heads % windows;
        const C* const from = in.data() + row * size;
        const C* const b = bias.data() + row % (rows * heads) * size;
        const C* const m = mask ? mask->data() + (window * rows + row % rows) * size : nullptr;
        C* const to = out.data() + row * size;
        Vectorised([=]() GE_INLINE {
          GE_IN_PLACE
          for (int64_t i = 0; i < size; ++i) {
            to[i] = from[i] * static_cast<C>(scale) + b[i] + (m != nullptr ? m[i] : C{0});
          }
          Row(to, to, size, false);
        });
      }
    });
    out.Store();
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
