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
GE_INLINE inline W WrappingAdd(W a, W b) {
  if constexpr (kIsFloat<W>)
    return a + b;
  else
    return static_cast<W>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
template <typename W>
GE_INLINE inline W WrappingMul(W a, W b) {
  if constexpr (kIsFloat<W>)
    return a * b;
  else
    return static_cast<W>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

// A reduction: a state takes elements of type W, joins with the state of other elements of its
// group, and gives the result.
template <typename T>
struct Sum {
  using W = Wide<T>;
  W sum = 0;
  GE_INLINE void Take(W x) { sum = WrappingAdd(sum, x); }
  void Join(const Sum& other) { sum = WrappingAdd(sum, other.sum); }
  W Result(int64_t) const { return sum; }
};

template <typename T>
struct Mean : Sum<T> {
  using typename Sum<T>::W;
  W Result(int64_t count) const {
    if constexpr (!kIsFloat<W>) {
      if (count == 0) return 0;
    }
    return this->sum / static_cast<W>(count);
  }
};

template <typename T>
struct Product {
  using W = Wide<T>;
  W product = 1;
  GE_INLINE void Take(W x) { product = WrappingMul(product, x); }
  void Join(const Product& other) { Take(other.product); }
  W Result(int64_t) const { return product; }
};

template <typename T>
struct SquareSum : Sum<T> {
  using typename Sum<T>::W;
  GE_INLINE void Take(W x) { this->sum = WrappingAdd(this->sum, WrappingMul(x, x)); }
};

template <typename T>
struct AbsSum : Sum<T> {
  using typename Sum<T>::W;
  GE_INLINE void Take(W x) {
    const W magnitude = x < W{0} ? WrappingMul(x, static_cast<W>(-1)) : x;
    this->sum = WrappingAdd(this->sum, magnitude);
  }
};

template <typename T>
struct Norm2 : SquareSum<T> {
  double Result(int64_t) const { return std::sqrt(static_cast<double>(this->sum)); }
};

template <typename T>
struct LogSum : Sum<T> {
  double Result(int64_t) const { return std::log(static_cast<double>(this->sum)); }
};

// log(sum(exp(x))) without overflow: the sum is kept relative to the greatest element so far.
template <typename T>
struct LogSumExp {
  using W = Wide<T>;
  double greatest = -std::numeric_limits<double>::infinity();
  double sum = 0;
  void Take(W element) { Add(static_cast<double>(element), 1); }
  void Join(const LogSumExp& other) {
    if (other.sum != 0) Add(other.greatest, other.sum);
  }
  double Result(int64_t) const { return std::log(sum) + greatest; }

 private:
  // Adds count * exp(x).
  void Add(double x, double count) {
    if (x == greatest) {
      sum += count;
    } else if (x > greatest) {
      sum = sum * std::exp(greatest - x) + count;
      greatest = x;
    } else {
      sum += count * std::exp(x - greatest);  // NaN stays NaN
    }
  }
};

// Greatest or least element, in the type itself: 64-bit integers do not pass through float64.
template <typename T, bool kGreatest>
struct Extreme {
  using W = ComputeType<T>;
  using Limits = std::numeric_limits<W>;
  static constexpr W Start() {
    if constexpr (kIsFloat<W>) return kGreatest ? -Limits::infinity() : Limits::infinity();
    return kGreatest ? Limits::lowest() : Limits::max();
  }
  W best = Start();
  GE_INLINE void Take(W x) {
    bool better = kGreatest ? x > best : x < best;
    if constexpr (kIsFloat<W>) better = better | (x != x);
    best = better ? x : best;
  }
  void Join(const Extreme& other) { Take(other.best); }
  W Result(int64_t) const { return best; }
};
template <typename T>
using Greatest = Extreme<T, true>;
template <typename T>
using Least = Extreme<T, false>;

constexpr int64_t kLanes = 8, kColumns = 256;

// One group in consecutive elements, in a fixed number of states, so that additions overlap.
template <typename State, typename T>
State OfRow(const T* x, int64_t count) {
  using W = typename State::W;
  State lanes[kLanes];
  Vectorised([&]() GE_INLINE {
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane].Take(static_cast<W>(x[i + lane]));
    }
    for (int64_t lane = 0; i < count; ++i, ++lane) lanes[lane].Take(static_cast<W>(x[i]));
  });
  for (int64_t lane = 1; lane < kLanes; ++lane) lanes[0].Join(lanes[lane]);
  return lanes[0];
}

// `columns` neighbouring groups whose elements are `stride` apart.
template <typename State, typename T>
void OfColumns(const T* x, int64_t count, int64_t stride, int64_t columns, State* states) {
  using W = typename State::W;
  Vectorised([&]() GE_INLINE {
    for (int64_t i = 0; i < count; ++i) {
      const T* from = x + i * stride;
      for (int64_t j = 0; j < columns; ++j) states[j].Take(static_cast<W>(from[j]));
    }
  });
}

// write(group, state) for all groups of a block of axes.
template <typename State, typename T, typename Write>
void ReduceBlock(const T* x, const AxisSplit& split, const Write& write) {
  if (split.inner == 1) {
    const int64_t grain = std::max<int64_t>(kElementGrain / std::max<int64_t>(split.size, 1), 1);
    ParallelFor(split.outer, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        write(row, OfRow<State>(x + row * split.size, split.size));
      }
    });
    return;
  }
  const int64_t parts = (split.inner + kColumns - 1) / kColumns;
  ParallelFor(split.outer * parts, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % parts * kColumns, outer = i / parts;
      const int64_t columns = std::min(kColumns, split.inner - column);
      State states[kColumns];
      OfColumns(x + outer * split.size * split.inner + column, split.size, split.inner, columns,
                states);
      for (int64_t j = 0; j < columns; ++j) write(outer * split.inner + column + j, states[j]);
    }
  });
}

// Reduces input 0 over `axes` into output 0.
template <template <typename> typename StateOf>
Status Reduce(KernelContext& ctx, std::span<const int64_t> axes) {
  const HostTensor& x = ctx.inputs[0];
  const Shape kept = KeepDims(x.shape, axes);
  const int64_t groups = *kept.elements();
  const int64_t count = groups == 0 ? 0 : x.elements() / groups;
  const std::optional<AxisSplit> split = SplitAtBlock(x.shape, kept);
  const bool built = VisitNumbers(x.dtype, [&]<typename T>(T) {
    using State = StateOf<T>;
    const T* in = x.as<T>();
    T* out = ctx.outputs[0].as<T>();
    const auto write = [&](int64_t group, const State& state) {
      const auto result = state.Result(count);
      if constexpr (std::is_same_v<std::decay_t<decltype(result)>, double>) {
        out[group] = TruncatedTo<T>(result);
      } else {
        out[group] = static_cast<T>(result);
      }
    };
    if (groups == 0) return;
    if (split) return ReduceBlock<State>(in, *split, write);
    std::vector<State> states(static_cast<size_t>(groups));
    WalkGroups(x.shape, kept, [&](int64_t group, int64_t element) {
      states[static_cast<size_t>(group)].Take(static_cast<typename State::W>(in[element]));
    });
    for (int64_t group = 0; group < groups; ++group) {
      write(group, states[static_cast<size_t>(group)]);
    }
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
  return WithAxesInput(ctx, Reduce<Greatest>);
}
Status ReduceMin(KernelContext& ctx) {
  return WithAxesInput(ctx, Reduce<Least>);
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
  return WithAxesInput(ctx, Reduce<Least>);
}
Status ReduceAny(KernelContext& ctx) {
  return WithAxesInput(ctx, Reduce<Greatest>);
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
