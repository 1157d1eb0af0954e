#include "kernels/conv.h"
#include "kernels/conv_parts.h"
#include "kernels/widened.h"

namespace ge::kernels {
namespace {

// Adds what kernel element `tap` spreads over a plane of y; `products` has one per element of x.
template <typename C>
void Spread(const ConvProblem& problem, int64_t tap, const C* products, C* plane) {
  const WindowWalk& walk = problem.walk;
  const Spatial in = problem.x.spatial(), out = problem.y.spatial();
  const Spatial& kernel = walk.kernel;
  const Spatial at = {tap / (kernel[1] * kernel[2]), tap / kernel[2] % kernel[1], tap % kernel[2]};
  Spatial offset;
  std::array<Range, 3> range;
  for (size_t axis = 0; axis < 3; ++axis) {
    offset[axis] = at[axis] * walk.dilation[axis] - walk.pad[axis];
    range[axis] = InsideRange(out[axis], in[axis], walk.stride[axis], offset[axis]);
  }
  const int64_t stride = walk.stride[2];
  for (int64_t d = range[0].begin; d < range[0].end; ++d) {
    const int64_t to_plane = d * walk.stride[0] + offset[0];
    for (int64_t h = range[1].begin; h < range[1].end; ++h) {
      const int64_t to_row = h * walk.stride[1] + offset[1];
      const C* from = products + (d * in[1] + h) * in[2];
      C* to = plane + (to_plane * out[1] + to_row) * out[2] + offset[2];
      for (int64_t w = range[2].begin; w < range[2].end; ++w) to[w * stride] += from[w];
    }
  }
}

// The group of one batch: products [O * kernel, elements of x] = filter^T [O * kernel, C] @ x,
// a piece of the rows at a time, which are then spread over the planes of `sums`.
template <typename T, typename C>
void SpreadGroup(const ConvProblem& problem, const T* x, const T* filter, C* sums) {
  constexpr int64_t kPieceBytes = int64_t{16} << 20;
  const int64_t channels = problem.in_channels(), outputs = problem.out_channels();
  const int64_t kernel = Volume(problem.walk.kernel);
  const int64_t x_plane = Volume(problem.x.spatial()), y_plane = Volume(problem.y.spatial());
  const int64_t all_rows = outputs * kernel;
  const int64_t piece =
      std::clamp<int64_t>(kPieceBytes / (x_plane * static_cast<int64_t>(sizeof(C))), 1, all_rows);
  std::vector<C> products(static_cast<size_t>(piece * x_plane));
  for (int64_t first = 0; first < all_rows; first += piece) {
    const int64_t rows = std::min(piece, all_rows - first);
    gemm::Multiply<C>(
        {1, rows, x_plane, channels},
        [&](int64_t, int64_t row, int64_t count, int64_t k, int64_t depth, C* out) {
          gemm::PackColumns(filter + k * all_rows + first + row, all_rows, 1, depth, count,
                            gemm::kRows, out);
        },
        [&](int64_t, int64_t column, int64_t columns, int64_t k, int64_t depth, C* out) {
          gemm::PackColumns(x + k * x_plane + column, x_plane, 1, depth, columns, gemm::kColumns<C>,
                            out);
        },
        [&](int64_t, int64_t row, int64_t count, int64_t column, int64_t columns, const C* block,
            int64_t stride) {
          for (int64_t r = 0; r < count; ++r) {
            std::copy_n(block + r * stride, columns,
                        products.data() + (row + r) * x_plane + column);
          }
        });
    // A plane is written by one thread.
    const int64_t first_output = first / kernel, last_output = (first + rows - 1) / kernel;
    ParallelFor(last_output - first_output + 1, 1, [&](int64_t begin, int64_t end) {
      for (int64_t o = first_output + begin; o < first_output + end; ++o) {
        const int64_t row_end = std::min(first + rows, (o + 1) * kernel);
        for (int64_t row = std::max(first, o * kernel); row < row_end; ++row) {
          Spread(problem, row % kernel, products.data() + (row - first) * x_plane,
                 sums + o * y_plane);
        }
      }
    });
  }
}

template <typename T, typename R>
void Run(const ConvProblem& problem, const T* x, const T* filter, const void* bias, R* y) {
  using C = gemm::SumType<T>;
  const std::vector<C> start = StartValues<C>(problem, bias);
  const int64_t outputs = problem.out_channels();
  const int64_t x_group = problem.in_channels() * Volume(problem.x.spatial());
  const int64_t y_plane = Volume(problem.y.spatial());
  const int64_t filter_group = problem.in_channels() * outputs * Volume(problem.walk.kernel);
  std::vector<C> sums(static_cast<size_t>(outputs * y_plane));
  for (int64_t i = 0; i < problem.y.dims[0] * problem.groups; ++i) {
    const int64_t group = i % problem.groups;
    for (int64_t o = 0; o < outputs; ++o) {
      std::fill_n(sums.begin() + o * y_plane, y_plane, start[group * outputs + o]);
    }
    if (x_group != 0) {
      SpreadGroup(problem, x + i * x_group, filter + group * filter_group, sums.data());
    }
    R* to = y + i * outputs * y_plane;
    for (size_t e = 0; e < sums.size(); ++e) to[e] = static_cast<R>(sums[e]);
  }
}

}  // namespace

bool RunConvTranspose(const ConvProblem& problem, const void* x, const void* filter,
                      const void* bias, void* y) {
  return VisitConvTypes(problem.dtype, [&]<typename T>(T) {
    using R = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, T>;
    if (problem.y.elements() == 0) return;
    WithDense<T, R>(problem, x, filter, y,
                    [&](const T* dx, const T* df, R* dy) { Run<T, R>(problem, dx, df, bias, dy); });
  });
}

Status ConvTranspose(KernelContext& ctx) {
  if (IsNarrowFloat(ctx.inputs[2].dtype)) return RunWidened(ctx, ConvTranspose);
  GE_ASSIGN(const ConvProblem problem, ReadConvTranspose(ctx));
  const void* bias = ctx.has_input(3) ? ctx.inputs[3].data : nullptr;
  const bool built =
      RunConvTranspose(problem, ctx.inputs[1].data, ctx.inputs[2].data, bias, ctx.outputs[0].data);
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
