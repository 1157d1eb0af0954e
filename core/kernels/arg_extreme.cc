#include "kernels/arg_extreme.h"

#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/reduce_walk.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

constexpr int64_t kColumns = 512;  // neighbours that are compared at a time

// The index of the best among `size` elements that are `stride` apart, for each of `columns`
// neighbours.  better(a, b): whether a later element `a` replaces `b`.
template <typename T, typename Better>
void BestOfColumns(const T* x, int64_t size, int64_t stride, int64_t columns, Better better,
                   int32_t* best) {
  using C = ComputeType<T>;
  C held[kColumns];
  Vectorised([=, &held]() GE_INLINE {
    for (int64_t j = 0; j < columns; ++j) {
      held[j] = static_cast<C>(x[j]);
      best[j] = 0;
    }
    for (int64_t i = 1; i < size; ++i) {
      const T* from = x + i * stride;
      const auto index = static_cast<int32_t>(i);
      for (int64_t j = 0; j < columns; ++j) {
        const C value = static_cast<C>(from[j]);
        const bool replaces = better(value, held[j]);
        held[j] = replaces ? value : held[j];
        best[j] = replaces ? index : best[j];
      }
    }
  });
}

// The best of a row is found first, then where it stands.
template <typename T, typename Better>
int64_t BestOfRow(const T* x, int64_t size, Better better) {
  using C = ComputeType<T>;
  constexpr int64_t kLanes = 16, kPart = 256;
  const bool last = better(C{0}, C{0});  // of equal ones
  C held = static_cast<C>(x[0]);
  if (held != held) return 0;  // nothing is better than NaN
  int64_t at = 0;
  Vectorised([=, &at]() GE_INLINE {
    C lanes[kLanes];
    for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = held;
    const auto take = [&](int64_t lane, int64_t i) GE_INLINE {
      const C value = static_cast<C>(x[i]);
      lanes[lane] = better(value, lanes[lane]) ? value : lanes[lane];
    };
    int64_t i = 0;
    for (; i + kLanes <= size; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) take(lane, i + lane);
    }
    for (; i < size; ++i) take(0, i);
    C best = lanes[0];
    for (const C value : lanes) best = better(value, best) ? value : best;
    for (int64_t begin = 0; begin < size; begin += kPart) {
      const int64_t first = last ? std::max<int64_t>(size - begin - kPart, 0) : begin;
      const int64_t end = last ? size - begin : std::min(begin + kPart, size);
      int found = 0;
      for (int64_t j = first; j < end; ++j) found |= static_cast<C>(x[j]) == best ? 1 : 0;
      if (found == 0) continue;
      at = last ? end - 1 : first;
      while (static_cast<C>(x[at]) != best) at += last ? -1 : 1;
      return;
    }
  });
  return at;
}

template <typename Better>
Status ArgExtreme(KernelContext& ctx, Better better) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<std::vector<int64_t>> axis = ToInts(ctx.inputs[1]);
  if (!axis) return ctx.NotBuilt();
  const AxisSplit split = SplitAt(x.shape, *NormalizeAxis(axis->front(), x.shape.rank()));
  const HostTensor& out = ctx.outputs[0];
  const auto put = [&](int64_t i, int64_t best) {
    if (out.dtype == DataType::kInt64) {
      out.as<int64_t>()[i] = best;
    } else {
      out.as<int32_t>()[i] = static_cast<int32_t>(best);
    }
  };
  const int64_t inner = split.inner, plane = split.size * inner;
  const int64_t width = std::min(kColumns, inner);
  const int64_t groups = width == 0 ? 0 : (inner + width - 1) / width;
  const int64_t grain = std::max<int64_t>(kElementGrain / std::max(split.size * width, width), 1);
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    ParallelFor(split.outer * groups, grain, [&](int64_t begin, int64_t end) {
      int32_t best[kColumns];
      for (int64_t i = begin; i < end; ++i) {
        const int64_t row = i / groups, first = i % groups * width;
        const T* from = x.as<T>() + row * plane + first;
        if (inner == 1) {
          put(i, BestOfRow(from, split.size, better));
          continue;
        }
        const int64_t columns = std::min(width, inner - first);
        BestOfColumns(from, split.size, inner, columns, better, best);
        for (int64_t j = 0; j < columns; ++j) put(row * inner + first + j, best[j]);
      }
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace

Status ArgMax(KernelContext& ctx) {
  if (ctx.attrs.Bool("select_last_index")) {
    return ArgExtreme(ctx, [](auto a, auto b) GE_INLINE { return a >= b; });
  }
  return ArgExtreme(ctx, [](auto a, auto b) GE_INLINE { return a > b; });
}

Status ArgMin(KernelContext& ctx) {
  if (ctx.attrs.Bool("select_last_index")) {
    return ArgExtreme(ctx, [](auto a, auto b) GE_INLINE { return a <= b; });
  }
  return ArgExtreme(ctx, [](auto a, auto b) GE_INLINE { return a < b; });
}

}  // namespace ge::kernels
