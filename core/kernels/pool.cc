#include "kernels/pool.h"

#include <limits>
#include <memory>

#include "base/parallel.h"
#include "kernels/elementwise.h"
#include "kernels/fold_taps.h"
#include "kernels/simd.h"
#include "kernels/window_rows.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

template <typename C>
struct Greatest {
  static constexpr ge::Fold kFold = ge::Fold::kMax;
  static C Start() {
    if constexpr (std::numeric_limits<C>::has_infinity) {
      return -std::numeric_limits<C>::infinity();
    } else {
      return std::numeric_limits<C>::lowest();
    }
  }
  GE_INLINE static C Take(C a, C b) {
    if constexpr (std::is_floating_point_v<C>) {
      return b > a || b != b ? b : a;  // a NaN stays: nothing is greater
    } else {
      return b > a ? b : a;
    }
  }
};

template <typename C>
struct Total {
  static constexpr ge::Fold kFold = ge::Fold::kAdd;
  static C Start() { return C{0}; }
  GE_INLINE static C Take(C a, C b) { return a + b; }
};

// Folds the windows of row (d, h) of y into row[0..out_w).
template <typename Folding, typename T, typename C>
void FoldRow(const WindowWalk& walk, const Spatial& in, int64_t out_w, int64_t d, int64_t h,
             const T* plane, C* row) {
  std::fill_n(row, out_w, Folding::Start());
  if (in[0] == 0 || in[1] == 0 || in[2] == 0) return;
  const int64_t stride = walk.stride[2];
  ForKernelRows(walk, in, d, h, [&](int64_t, int64_t start) {
    for (int64_t kw = 0; kw < walk.kernel[2]; ++kw) {
      const int64_t offset = kw * walk.dilation[2] - walk.pad[2];
      const Range range = InsideRange(in[2], out_w, stride, offset);
      const T* from = plane + start + offset;
      if (stride == 1) {
        for (int64_t w = range.begin; w < range.end; ++w) {
          row[w] = Folding::Take(row[w], static_cast<C>(from[w]));
        }
      } else {
        for (int64_t w = range.begin; w < range.end; ++w) {
          row[w] = Folding::Take(row[w], static_cast<C>(from[w * stride]));
        }
      }
    }
  });
}

// For every index along one axis the number of elements that the divisor of a mean counts.
std::vector<int64_t> CountTaps(const PoolProblem& problem, size_t axis) {
  const WindowWalk& walk = problem.walk;
  const int64_t dim = problem.x.dims[axis + 2];
  std::vector<int64_t> counts;
  for (int64_t i = 0; i < problem.y.dims[axis + 2]; ++i) {
    if (problem.count_pads) {
      // What is behind the padding, where the last window of ceil_mode may reach, does not count.
      const int64_t start = i * walk.stride[axis] - walk.pad[axis];
      counts.push_back(InsideRange(dim + walk.pad[axis] + walk.pad_end[axis], walk.kernel[axis],
                                   walk.dilation[axis], start + walk.pad[axis])
                           .size());
    } else {
      counts.push_back(InsideTaps(walk, axis, dim, i).size());
    }
  }
  return counts;
}

// float32, with the results of windows in registers; false when the shapes are not made for it.
template <typename Finish>
bool FoldBands(Fold fold, float start, const PoolProblem& problem, const float* x, float* y,
               const Finish& finish) {
  const Bands bands(problem.walk, problem.x.spatial(), problem.y.spatial(), 1);
  if (!bands.usable()) return false;
  const int64_t planes = problem.y.dims[0] * problem.y.dims[1];
  const int64_t x_plane = problem.x.dims[3] * problem.x.dims[4];
  const int64_t y_plane = problem.y.dims[3] * problem.y.dims[4];
  const int64_t taps = problem.walk.kernel[1] * problem.walk.kernel[2];
  const int64_t work = y_plane * taps / bands.count() + 1;
  ParallelFor(planes * bands.count(), 50'000 / work + 1, [&](int64_t begin, int64_t end) {
    Bands::Scratch scratch;
    const std::vector<float> no_factors;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / bands.count();
      bands.Run(fold, x + plane * x_plane, start, no_factors, start, i % bands.count(), scratch,
                y + plane * y_plane, [&](const float* row, int64_t h, float* to) {
                  for (int64_t w = 0; w < problem.y.dims[4]; ++w) to[w] = finish(row[w], 0, h, w);
                });
    }
  });
  return true;
}

bool IsChannelsLast(const PoolProblem& problem) {
  return problem.x.steps[1] == 1 && problem.y.steps[1] == 1 && problem.y.dims[1] > 1;
}

// Takes columns of x, `step` apart, into those of `row`.
template <typename Folding, typename T, typename C>
void TakeColumns(const T* from, int64_t step, int64_t columns, int64_t channels, C* row) {
  if (step == channels) {
    channels *= columns;
    columns = 1;
  }
  Vectorised([&]() GE_INLINE {
    for (int64_t w = 0; w < columns; ++w) {
      const T* const column = from + w * step;
      C* const to = row + w * channels;
      for (int64_t c = 0; c < channels; ++c) {
        to[c] = Folding::Take(to[c], static_cast<C>(column[c]));
      }
    }
  });
}

// The windows of all channels at a time, which lie side by side, some columns of y at once.
template <typename Folding, typename T, typename Finish>
void FoldChannels(const PoolProblem& problem, const T* x, T* y, const Finish& finish) {
  using C = ComputeType<T>;
  constexpr int64_t kAtOnce = 4096;  // elements that a core's nearest cache holds
  const Spatial in = problem.x.spatial(), out = problem.y.spatial();
  const WindowWalk& walk = problem.walk;
  const auto &from_steps = problem.x.steps, &to_steps = problem.y.steps;
  const int64_t channels = problem.y.dims[1], rows = out[0] * out[1];
  const int64_t columns = std::clamp<int64_t>(kAtOnce / channels, 1, out[2]);
  const int64_t work =
      channels * out[2] * walk.kernel[0] * walk.kernel[1] * std::min(walk.kernel[2], in[2]);
  ParallelFor(problem.y.dims[0] * rows, 50'000 / (work + 1) + 1, [&](int64_t begin, int64_t end) {
    const auto row = std::make_unique_for_overwrite<C[]>(static_cast<size_t>(columns * channels));
    const auto at = [&](size_t axis, int64_t place, int64_t tap) {
      return (place * walk.stride[axis] - walk.pad[axis] + tap * walk.dilation[axis]) *
             from_steps[axis + 2];
    };
    for (int64_t i = begin; i < end; ++i) {
      const int64_t d = i % rows / out[1], h = i % out[1];
      const T* const batch = x + i / rows * from_steps[0];
      const Range deep = InsideTaps(walk, 0, in[0], d), high = InsideTaps(walk, 1, in[1], h);
      T* const y_row = y + i / rows * to_steps[0] + d * to_steps[2] + h * to_steps[3];
      for (int64_t first = 0; first < out[2]; first += columns) {
        const int64_t last = std::min(first + columns, out[2]) - 1;
        std::fill_n(row.get(), (last - first + 1) * channels, Folding::Start());
        const int64_t taps_begin = InsideTaps(walk, 2, in[2], last).begin;
        const int64_t taps_end = InsideTaps(walk, 2, in[2], first).end;
        for (int64_t kd = deep.begin; kd < deep.end; ++kd) {
          for (int64_t kh = high.begin; kh < high.end; ++kh) {
            for (int64_t kw = taps_begin; kw < taps_end; ++kw) {
              const Range wide =
                  InsideRange(in[2], last + 1, walk.stride[2], kw * walk.dilation[2] - walk.pad[2]);
              const int64_t w = std::max(wide.begin, first);
              if (w >= wide.end) continue;
              TakeColumns<Folding>(batch + at(0, d, kd) + at(1, h, kh) + at(2, w, kw),
                                   walk.stride[2] * from_steps[4], wide.end - w, channels,
                                   row.get() + (w - first) * channels);
            }
          }
        }
        Vectorised([&]() GE_INLINE {
          for (int64_t w = first; w <= last; ++w) {
            const C* const from = row.get() + (w - first) * channels;
            T* const to = y_row + w * to_steps[4];
            for (int64_t c = 0; c < channels; ++c) to[c] = static_cast<T>(finish(from[c], d, h, w));
          }
        });
      }
    }
  });
}

template <typename Folding, typename T, typename Finish>
void FoldPlanes(const PoolProblem& problem, const T* x, T* y, const Finish& finish) {
  using C = ComputeType<T>;
  if (IsChannelsLast(problem)) return FoldChannels<Folding>(problem, x, y, finish);
  if constexpr (std::is_same_v<T, float>) {
    if (FoldBands(Folding::kFold, Folding::Start(), problem, x, y, finish)) return;
  }
  const Spatial in = problem.x.spatial(), out = problem.y.spatial();
  const int64_t rows_of_plane = out[0] * out[1];
  const int64_t planes = problem.y.dims[0] * problem.y.dims[1];
  const int64_t x_plane = in[0] * in[1] * in[2];
  // Not more taps than elements are read.
  const auto taps = [&](size_t axis) { return std::min(problem.walk.kernel[axis], in[axis]); };
  const int64_t work = std::max<int64_t>(1, out[2] * taps(0) * taps(1) * taps(2));
  ParallelFor(planes * rows_of_plane, 20'000 / work + 1, [&](int64_t begin, int64_t end) {
    const auto row = std::make_unique_for_overwrite<C[]>(static_cast<size_t>(out[2]));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t d = i % rows_of_plane / out[1], h = i % out[1];
      FoldRow<Folding>(problem.walk, in, out[2], d, h, x + i / rows_of_plane * x_plane, row.get());
      for (int64_t w = 0; w < out[2]; ++w) {
        y[i * out[2] + w] = static_cast<T>(finish(row[w], d, h, w));
      }
    }
  });
}

template <typename T>
void TakeMean(const PoolProblem& problem, const T* x, T* y) {
  using C = ComputeType<T>;
  const std::vector<int64_t> deep = CountTaps(problem, 0), high = CountTaps(problem, 1),
                             wide = CountTaps(problem, 2);
  FoldPlanes<Total<C>>(problem, x, y, [&](C sum, int64_t d, int64_t h, int64_t w) {
    const auto at = [](const std::vector<int64_t>& counts, int64_t i) {
      return static_cast<C>(counts[static_cast<size_t>(i)]);
    };
    const C count = problem.divisor != 0 ? static_cast<C>(problem.divisor)
                                         : at(deep, d) * at(high, h) * at(wide, w);
    return sum / count;
  });
}

// Calls reduce(elements of a plane, size) for every plane of x.
template <typename T, typename ReducePlane>
void ReducePlanes(KernelContext& ctx, const ReducePlane& reduce) {
  const Shape& shape = ctx.inputs[0].shape;
  const int64_t planes = ctx.outputs[0].elements();
  if (planes == 0) return;
  const int64_t size = *shape.elements() / planes;
  const T* x = ctx.inputs[0].as<T>();
  T* y = ctx.outputs[0].as<T>();
  ParallelFor(planes, 20'000 / std::max<int64_t>(size, 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = TruncatedTo<T>(reduce(x + i * size, size));
  });
}

}  // namespace

bool RunPool(const PoolProblem& problem, const void* x, void* y) {
  const auto run = [&]<typename T>(T) {
    if (problem.y.elements() == 0) return;
    std::vector<uint8_t> x_copy, y_copy;
    const bool last = IsChannelsLast(problem);
    const T* dense_x = static_cast<const T*>(last ? x : Dense(problem.x, x, problem.dtype, x_copy));
    const bool direct = last || problem.y.is_dense();
    if (!direct) y_copy.resize(static_cast<size_t>(problem.y.elements()) * sizeof(T));
    void* to = direct ? y : y_copy.data();
    T* dense_y = static_cast<T*>(to);
    if (problem.kind == PoolProblem::Kind::kMax) {
      using C = ComputeType<T>;
      FoldPlanes<Greatest<C>>(problem, dense_x, dense_y,
                              [](C value, int64_t, int64_t, int64_t) { return value; });
    } else if constexpr (!std::is_integral_v<T>) {
      TakeMean(problem, dense_x, dense_y);
    }
    if (!direct) FromDense(problem.y, to, problem.dtype, y);
  };
  return problem.kind == PoolProblem::Kind::kMax ? VisitNumbers(problem.dtype, run)
                                                 : VisitFloats(problem.dtype, run);
}

Status Pool(KernelContext& ctx) {
  GE_ASSIGN(const PoolProblem problem, ReadPool(ctx));
  const bool built = RunPool(problem, ctx.inputs[0].data, ctx.outputs[0].data);
  return built ? Status::Ok() : ctx.NotBuilt();
}

namespace {

// Means over the axes between the first and the last.
template <typename T>
void MeanOfChannels(const HostTensor& x, T* y) {
  const int64_t channels = x.shape[x.shape.rank() - 1];
  const int64_t size = x.elements() / (x.shape[0] * channels);
  // A few hundred channels are read at a time, so that memory is read in runs.
  constexpr int64_t kWide = 256;
  const int64_t pieces = (channels - 1) / kWide + 1;
  ParallelFor(x.shape[0] * pieces, 100'000 / (size * kWide) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t first = i % pieces * kWide, count = std::min(kWide, channels - first);
      double sums[kWide] = {};
      const T* from = x.as<T>() + i / pieces * size * channels + first;
      Vectorised([&]() GE_INLINE {
        for (int64_t p = 0; p < size; ++p, from += channels) {
          for (int64_t c = 0; c < count; ++c) sums[c] += static_cast<double>(from[c]);
        }
      });
      for (int64_t c = 0; c < count; ++c) {
        y[i / pieces * channels + first + c] = TruncatedTo<T>(sums[c] / static_cast<double>(size));
      }
    }
  });
}

}  // namespace

Status GlobalAveragePool(KernelContext& ctx) {
  const bool channels_last = ctx.attrs.Str("data_format") == "NHWC";
  const bool built = VisitFloats(ctx.inputs[0].dtype, [&]<typename T>(T) {
    if (channels_last && ctx.outputs[0].elements() != 0) {
      return MeanOfChannels(ctx.inputs[0], ctx.outputs[0].as<T>());
    }
    ReducePlanes<T>(ctx, [](const T* plane, int64_t size) {
      constexpr int64_t kLanes = 8;
      double sums[kLanes] = {};
      int64_t i = 0;
      for (; i + kLanes <= size; i += kLanes) {
        for (int64_t lane = 0; lane < kLanes; ++lane) {
          sums[lane] += static_cast<double>(plane[i + lane]);
        }
      }
      for (; i < size; ++i) sums[0] += static_cast<double>(plane[i]);
      const double total =
          ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
      return total / static_cast<double>(size);
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

Status GlobalLpPool(KernelContext& ctx) {
  const double p = static_cast<double>(ctx.attrs.Float("p"));
  const bool built = VisitFloats(ctx.inputs[0].dtype, [&]<typename T>(T) {
    ReducePlanes<T>(ctx, [p](const T* plane, int64_t size) {
      double sum = 0;
      for (int64_t i = 0; i < size; ++i) {
        const double x = std::abs(static_cast<double>(plane[i]));
        sum += p == 1 ? x : p == 2 ? x * x : std::pow(x, p);
      }
      return p == 1 ? sum : p == 2 ? std::sqrt(sum) : std::pow(sum, 1 / p);
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
