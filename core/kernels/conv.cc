#include "kernels/conv.h"

#include "kernels/byte_heavy.h"
#include "kernels/conv_parts.h"
#include "kernels/fold_taps.h"
#include "kernels/matmul.h"
#include "kernels/widened.h"

namespace ge::kernels {
namespace {

// A convolution of dense tensors.  Products of a group: [O, C * kernel] @ [C * kernel, windows].
template <typename T, typename R>
struct Convolution {
  using C = gemm::SumType<T>;
  const ConvProblem& problem;
  const T* x;
  const T* filter;
  R* y;
  std::vector<C> start;
  WindowWalk walk = problem.walk;
  Spatial in = problem.x.spatial();
  Spatial out = problem.y.spatial();
  int64_t groups = problem.groups;
  // Per group; nothing is summed where x has no elements and all windows lie in the padding.
  int64_t channels = problem.x.elements() == 0 ? 0 : problem.in_channels();
  int64_t outputs = problem.out_channels();  // per group
  int64_t kernel = Volume(problem.walk.kernel);
  int64_t windows = Volume(problem.y.spatial());
  int64_t x_plane = Volume(problem.x.spatial());

  bool is_pointwise() const {
    constexpr Spatial kOnes = {1, 1, 1}, kZeros = {0, 0, 0};
    return kernel == 1 && walk.stride == kOnes && walk.pad == kZeros && in == out;
  }
};

// Windows that lie side by side in one row of y.
struct Segment {
  int64_t d, h, w;
  int64_t size;
};

std::vector<Segment> CutIntoRows(const Spatial& out, int64_t first, int64_t count) {
  std::vector<Segment> segments;
  for (int64_t i = first; i < first + count;) {
    const int64_t row = i / out[2], w = i % out[2];
    const int64_t size = std::min(out[2] - w, first + count - i);
    segments.push_back({row / out[1], row % out[1], w, size});
    i += size;
  }
  return segments;
}

// Writes to `row` what one kernel element reads for each window of the segments.
template <typename T, typename R, typename C>
void ReadTap(const Convolution<T, R>& conv, const T* plane, const Spatial& tap,
             const std::vector<Segment>& segments, C* row) {
  const WindowWalk& walk = conv.walk;
  const Spatial& in = conv.in;
  const int64_t offset = tap[2] * walk.dilation[2] - walk.pad[2];
  const Range inside = InsideRange(in[2], conv.out[2], walk.stride[2], offset);
  for (const Segment& segment : segments) {
    const int64_t d = segment.d * walk.stride[0] - walk.pad[0] + tap[0] * walk.dilation[0];
    const int64_t h = segment.h * walk.stride[1] - walk.pad[1] + tap[1] * walk.dilation[1];
    const int64_t begin = std::clamp(inside.begin - segment.w, int64_t{0}, segment.size);
    const int64_t end = std::clamp(inside.end - segment.w, begin, segment.size);
    if (d < 0 || d >= in[0] || h < 0 || h >= in[1] || begin == end) {
      row = std::fill_n(row, segment.size, C{0});
      continue;
    }
    const T* from = plane + (d * in[1] + h) * in[2];
    row = std::fill_n(row, begin, C{0});
    const int64_t first = (segment.w + begin) * walk.stride[2] + offset;
    if (walk.stride[2] == 1) {
      for (int64_t i = 0; i < end - begin; ++i) row[i] = static_cast<C>(from[first + i]);
    } else {
      for (int64_t i = 0; i < end - begin; ++i) {
        row[i] = static_cast<C>(from[first + i * walk.stride[2]]);
      }
    }
    row = std::fill_n(row + (end - begin), segment.size - end, C{0});
  }
}

// The rows k, k + 1, ... of the matrix of windows, in panels.
template <typename T, typename R, typename C>
void PackWindows(const Convolution<T, R>& conv, const T* x, int64_t column, int64_t columns,
                 int64_t k, int64_t depth, C* out) {
  constexpr int64_t kWide = gemm::kColumns<C>;
  const std::vector<Segment> segments = CutIntoRows(conv.out, column, columns);
  const Spatial& kernel = conv.walk.kernel;
  const int64_t padded = (columns + kWide - 1) / kWide * kWide;
  std::vector<C> row(static_cast<size_t>(padded), C{0});
  for (int64_t i = 0; i < depth; ++i, out += kWide) {
    const int64_t tap = (k + i) % conv.kernel;
    const Spatial at = {tap / (kernel[1] * kernel[2]), tap / kernel[2] % kernel[1],
                        tap % kernel[2]};
    ReadTap(conv, x + (k + i) / conv.kernel * conv.x_plane, at, segments, row.data());
    for (int64_t c = 0; c < padded; c += kWide) {
      std::copy_n(row.data() + c, kWide, out + c * depth);
    }
  }
}

template <typename T, typename R>
void MultiplyWindows(const Convolution<T, R>& conv) {
  using C = gemm::SumType<T>;
  const int64_t summed = conv.channels * conv.kernel;
  const bool pointwise = conv.is_pointwise();
  gemm::Multiply<C>(
      {conv.problem.y.dims[0] * conv.groups, conv.outputs, conv.windows, summed},
      [&](int64_t batch, int64_t row, int64_t rows, int64_t k, int64_t depth, C* out) {
        const int64_t first = batch % conv.groups * conv.outputs + row;
        gemm::PackColumns(conv.filter + first * summed + k, 1, summed, depth, rows, gemm::kRows,
                          out);
      },
      [&](int64_t batch, int64_t column, int64_t columns, int64_t k, int64_t depth, C* out) {
        const T* x = conv.x + batch * conv.channels * conv.x_plane;
        if (pointwise) {
          gemm::PackColumns(x + k * conv.x_plane + column, conv.x_plane, 1, depth, columns,
                            gemm::kColumns<C>, out);
        } else {
          PackWindows(conv, x, column, columns, k, depth, out);
        }
      },
      [&](int64_t batch, int64_t row, int64_t rows, int64_t column, int64_t columns, const C* sums,
          int64_t stride) {
        for (int64_t r = 0; r < rows; ++r, sums += stride) {
          const C start = conv.start[batch % conv.groups * conv.outputs + row + r];
          R* y = conv.y + (batch * conv.outputs + row + r) * conv.windows + column;
          for (int64_t c = 0; c < columns; ++c) y[c] = static_cast<R>(sums[c] + start);
        }
      });
}

// Adds to the sums of row (d, h) of y what one input channel gives.
template <typename T, typename R, typename C>
void AddChannel(const Convolution<T, R>& conv, const T* plane, const T* filter, int64_t d,
                int64_t h, C* sums) {
  const WindowWalk& walk = conv.walk;
  const int64_t stride = walk.stride[2];
  ForKernelRows(walk, conv.in, d, h, [&](int64_t tap, int64_t row) {
    for (int64_t kw = 0; kw < walk.kernel[2]; ++kw) {
      const int64_t offset = kw * walk.dilation[2] - walk.pad[2];
      const Range range = InsideRange(conv.in[2], conv.out[2], stride, offset);
      const C factor = static_cast<C>(filter[tap + kw]);
      const T* from = plane + row + offset;
      if (stride == 1) {
        for (int64_t w = range.begin; w < range.end; ++w) {
          sums[w] += factor * static_cast<C>(from[w]);
        }
      } else {
        for (int64_t w = range.begin; w < range.end; ++w) {
          sums[w] += factor * static_cast<C>(from[w * stride]);
        }
      }
    }
  });
}

// Without a matrix product, which pays only for many output channels per group.
template <typename T, typename R>
void ConvolveRows(const Convolution<T, R>& conv) {
  using C = gemm::SumType<T>;
  const Spatial& out = conv.out;
  const int64_t rows_of_plane = out[0] * out[1];
  const int64_t planes = conv.problem.y.dims[0] * conv.problem.y.dims[1];
  const int64_t work = out[2] * std::max<int64_t>(conv.channels * conv.kernel, 1);
  ParallelFor(planes * rows_of_plane, 50'000 / work + 1, [&](int64_t begin, int64_t end) {
    std::vector<C> sums(static_cast<size_t>(out[2]));
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / rows_of_plane, row = i % rows_of_plane;
      const int64_t output = plane % conv.problem.y.dims[1];
      const int64_t group = plane / conv.outputs;  // counted over batches
      std::fill(sums.begin(), sums.end(), conv.start[output]);
      for (int64_t c = 0; c < conv.channels; ++c) {
        AddChannel(conv, conv.x + (group * conv.channels + c) * conv.x_plane,
                   conv.filter + (output * conv.channels + c) * conv.kernel, row / out[1],
                   row % out[1], sums.data());
      }
      R* y = conv.y + i * out[2];
      for (int64_t w = 0; w < out[2]; ++w) y[w] = static_cast<R>(sums[w]);
    }
  });
}

// The same with the sums in registers; false when the shapes are not made for it.
bool FoldConvolution(const Convolution<float, float>& conv) {
  const Bands bands(conv.walk, conv.in, conv.out, conv.channels);
  if (!bands.usable()) return false;
  const int64_t planes = conv.problem.y.dims[0] * conv.problem.y.dims[1];
  const int64_t taps = conv.channels * conv.kernel;
  const int64_t work = conv.windows * taps / bands.count() + 1;
  ParallelFor(planes * bands.count(), 50'000 / work + 1, [&](int64_t begin, int64_t end) {
    Bands::Scratch scratch;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t plane = i / bands.count(), output = plane % conv.problem.y.dims[1];
      const float* const filter = conv.filter + output * taps;
      bands.Run(Fold::kMultiplyAdd, conv.x + plane / conv.outputs * conv.channels * conv.x_plane, 0,
                std::vector<float>(filter, filter + taps), conv.start[static_cast<size_t>(output)],
                i % bands.count(), scratch, conv.y + plane * conv.windows,
                [&](const float* row, int64_t, float* y) { std::copy_n(row, conv.out[2], y); });
    }
  });
  return true;
}

MatMulProblem ProductOf(const ConvProblem& problem) {
  const int64_t channels = problem.x.dims[1], windows = problem.y.plane();
  MatMulProblem product;
  product.result = problem.result;
  product.m = problem.y.dims[1];
  product.n = windows;
  product.k = channels;
  product.batch = {problem.y.dims[0]};
  product.a = {problem.dtype, channels, 1, {0}};
  product.b = {problem.dtype, windows, 1, {channels * windows}};
  product.bias = {problem.bias, 1, 0, {0}};
  return product;
}

}  // namespace

bool RunConv(const ConvProblem& problem, const void* x, const void* filter, const void* bias,
             void* y) {
  if (problem.is_product()) return RunMatMul(ProductOf(problem), filter, x, bias, y);
  return VisitConvTypes(problem.dtype, [&]<typename T>(T) {
    using R = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, T>;
    if (problem.y.elements() == 0) return;
    WithDense<T, R>(problem, x, filter, y, [&](const T* dx, const T* df, R* dy) {
      const Convolution<T, R> conv = {problem, dx, df, dy,
                                      StartValues<gemm::SumType<T>>(problem, bias)};
      constexpr int64_t kFewOutputs = 4;
      if (conv.outputs >= kFewOutputs) return MultiplyWindows(conv);
      if constexpr (std::is_same_v<T, float>) {
        if (conv.channels != 0 && FoldConvolution(conv)) return;
      }
      ConvolveRows(conv);
    });
  });
}

Status Conv(KernelContext& ctx) {
  if (IsNarrowFloat(ctx.inputs[1].dtype)) return RunWidened(ctx, Conv);
  if (IsByte(ctx.inputs[0].dtype)) return ByteConv(ctx);
  GE_ASSIGN(const ConvProblem problem, ReadConv(ctx));
  const void* bias = ctx.has_input(2) ? ctx.inputs[2].data : nullptr;
  const bool built =
      RunConv(problem, ctx.inputs[0].data, ctx.inputs[1].data, bias, ctx.outputs[0].data);
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
