#include "kernels/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/reduce_walk.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Accumulates in float64, or for integers in 64 bits that wrap.
template <typename T>
using Wide = std::conditional_t<!std::is_integral_v<T>, double,
                                std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>;

template <typename W>
constexpr bool kIsFloat = std::is_floating_point_v<W>;

template <typename W>
W WrappingAdd(W a, W b) {
  if constexpr (kIsFloat<W>)
    return a + b;
  else
    return static_cast<W>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <typename W>
W WrappingMul(W a, W b) {
  if constexpr (kIsFloat<W>)
    return a * b;
  else
    return static_cast<W>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// A reduction: the state of a group starts as State(), takes every element, gives the result.
template <typename W>
struct Sum {
  W sum = 0;
  void Take(W x) { sum = WrappingAdd(sum, x); }
  W Result(int64_t) const { return sum; }
};

template <typename W>
struct Mean : Sum<W> {
  W Result(int64_t count) const {
    if constexpr (!kIsFloat<W>) {
      if (count == 0) return 0;
    }
    return this->sum / static_cast<W>(count);
  }
};

template <typename W>
struct Product {
  W product = 1;
  void Take(W x) { product = WrappingMul(product, x); }
  W Result(int64_t) const { return product; }
};

template <typename W>
struct SquareSum {
  W sum = 0;
  void Take(W x) { sum = WrappingAdd(sum, WrappingMul(x, x)); }
  W Result(int64_t) const { return sum; }
};

template <typename W>
struct AbsSum {
  W sum = 0;
  void Take(W x) { sum = WrappingAdd(sum, x < W{0} ? WrappingMul(x, static_cast<W>(-1)) : x); }
  W Result(int64_t) const { return sum; }
};

template <typename W>
struct Norm2 : SquareSum<W> {
  double Result(int64_t) const { return std::sqrt(static_cast<double>(this->sum)); }
};

template <typename W>
struct LogSum : Sum<W> {
  double Result(int64_t) const { return std::log(static_cast<double>(this->sum)); }
};

// log(sum(exp(x))) without overflow: the sum is kept relative to the greatest element so far.
template <typename W>
struct LogSumExp {
  double greatest = -std::numeric_limits<double>::infinity();
  double sum = 0;
  void Take(W element) {
    const double x = static_cast<double>(element);
    if (x == greatest) {
      sum += 1;
    } else if (x > greatest) {
      sum = sum * std::exp(greatest - x) + 1;
      greatest = x;
    } else {
      sum += std::exp(x - greatest);  // NaN stays NaN
    }
  }
  double Result(int64_t) const { return std::log(sum) + greatest; }
};

// Reduces input 0 over `axes` into output 0.
template <template <typename> typename State>
Status Reduce(KernelContext& ctx, std::span<const int64_t> axes) {
  const HostTensor& x = ctx.inputs[0];
  const Shape kept = KeepDims(x.shape, axes);
  const size_t groups = static_cast<size_t>(*kept.elements());
  const int64_t count = groups == 0 ? 0 : x.elements() / static_cast<int64_t>(groups);
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    std::vector<State<Wide<T>>> states(groups);
    const T* in = x.as<T>();
    WalkGroups(x.shape, kept, [&](int64_t group, int64_t element) {
      states[static_cast<size_t>(group)].Take(static_cast<Wide<T>>(in[element]));
    });
    T* out = ctx.outputs[0].as<T>();
    for (size_t group = 0; group < groups; ++group) {
      const auto result = states[group].Result(count);
      if constexpr (std::is_floating_point_v<decltype(result)>) {
        out[group] = TruncatedTo<T>(result);
      } else {
        out[group] = static_cast<T>(result);
      }
    }
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

// Greatest or least element, in the type itself: 64-bit integers do not pass through float64.
template <bool kGreatest>
Status Extreme(KernelContext& ctx, std::span<const int64_t> axes) {
  const HostTensor& x = ctx.inputs[0];
  const Shape kept = KeepDims(x.shape, axes);
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    using C = ComputeType<T>;
    using Limits = std::numeric_limits<C>;
    C start = kGreatest ? Limits::lowest() : Limits::max();
    if constexpr (kIsFloat<C>) start = kGreatest ? -Limits::infinity() : Limits::infinity();
    const T* in = x.as<T>();
    T* out = ctx.outputs[0].as<T>();
    std::fill_n(out, *kept.elements(), static_cast<T>(start));
    WalkGroups(x.shape, kept, [&](int64_t group, int64_t element) {
      const C value = static_cast<C>(in[element]);
      const C best = static_cast<C>(out[group]);
      bool better = kGreatest ? value > best : value < best;
      if constexpr (kIsFloat<C>) better = better || std::isnan(value);
      if (better) out[group] = in[element];
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

using ReduceFn = Status (*)(KernelContext&, std::span<const int64_t>);

// The reductions whose axes are input 1.
Status WithAxesInput(KernelContext& ctx, ReduceFn reduce) {
  const std::optional<std::vector<int64_t>> axes = ToInts(ctx.inputs[1]);
  if (!axes) return ctx.NotBuilt();
  if (axes->empty() && ctx.attrs.Bool("noop_with_empty_axes")) {
    // Every element becomes a group of its own.
    HostTensor inputs[] = {ctx.inputs[0], ctx.inputs[1]};
    inputs[0].shape = Shape{1, *ctx.inputs[0].shape.elements()};
    KernelContext each{inputs, ctx.outputs, ctx.attrs};
    return reduce(each, std::vector<int64_t>{0});
  }
  return reduce(ctx, *axes);
}

}  // namespace

Status ReduceSum(KernelContext& ctx) {
  return WithAxesInput(ctx, Reduce<Sum>);
}
Status ReduceMean(KernelContext& ctx) {
  return WithAxesInput(ctx, Reduce<Mean>);
}
Status ReduceMax(KernelContext& ctx) {
  return WithAxesInput(ctx, Extreme<true>);
}
Status ReduceMin(KernelContext& ctx) {
  return WithAxesInput(ctx, Extreme<false>);
}
Status ReduceProd(KernelContext& ctx) {
  return WithAxesInput(ctx, Reduce<Product>);
}
Status ReduceLogSum(KernelContext& ctx) {
  return WithAxesInput(ctx, Reduce<LogSum>);
}
Status ReduceLogSumExp(KernelContext& ctx) {
  return WithAxesInput(ctx, Reduce<LogSumExp>);
}

Status ReduceAll(KernelContext& ctx) {
  return WithAxesInput(ctx, Extreme<false>);
}
Status ReduceAny(KernelContext& ctx) {
  return WithAxesInput(ctx, Extreme<true>);
}

Status SquareSumV1(KernelContext& ctx) {
  return Reduce<SquareSum>(ctx, ctx.attrs.Ints("axis"));
}

Status LpNormV2(KernelContext& ctx) {
  const float p = ctx.attrs.Float("p");
  const std::vector<int64_t> axes = ctx.attrs.Ints("axes");
  if (p == 1.0f) return Reduce<AbsSum>(ctx, axes);
  if (p == 2.0f) return Reduce<Norm2>(ctx, axes);
  return ctx.NotBuilt();
}

}  // namespace ge::kernels
