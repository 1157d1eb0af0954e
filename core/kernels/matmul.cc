#include "kernels/matmul.h"

#include <algorithm>
#include <cstring>

#include "kernels/gemm.h"

namespace ge::kernels {
namespace {

// Matrices of one product as the loops see them.
template <typename T, typename C, typename R>
struct Product {
  gemm::Sizes sizes;
  const T* a;
  const T* b;
  const C* bias;  // null: none
  R* y;
  int64_t a_row, a_column, b_row, b_column, bias_row, bias_column, y_row, y_column;
  std::vector<int64_t> a_starts, b_starts, bias_starts;  // per batch

  void Store(int64_t batch, int64_t row, int64_t column, C sum) const {
    if (bias != nullptr) {
      sum += bias[bias_starts[batch] + row * bias_row + column * bias_column];
    }
    y[batch * sizes.m * sizes.n + row * y_row + column * y_column] = static_cast<R>(sum);
  }

  // y^T = b^T a^T.
  void Transpose() {
    std::swap(sizes.m, sizes.n);
    std::swap(a, b);
    std::swap(a_starts, b_starts);
    std::swap(a_row, b_column);
    std::swap(a_column, b_row);
    std::swap(bias_row, bias_column);
    std::swap(y_row, y_column);
  }
};

template <typename P>
void MultiplyBlocks(const P& p) {
  using C = std::remove_const_t<std::remove_pointer_t<decltype(p.bias)>>;
  gemm::Multiply<C>(
      p.sizes,
      [&](int64_t batch, int64_t row, int64_t rows, int64_t k, int64_t depth, C* out) {
        gemm::PackColumns(p.a + p.a_starts[batch] + row * p.a_row + k * p.a_column, p.a_column,
                          p.a_row, depth, rows, gemm::kRows, out);
      },
      [&](int64_t batch, int64_t column, int64_t columns, int64_t k, int64_t depth, C* out) {
        gemm::PackColumns(p.b + p.b_starts[batch] + column * p.b_column + k * p.b_row, p.b_row,
                          p.b_column, depth, columns, gemm::kColumns<C>, out);
      },
      [&](int64_t batch, int64_t row, int64_t rows, int64_t column, int64_t columns, const C* sums,
          int64_t stride) {
        for (int64_t r = 0; r < rows; ++r) {
          for (int64_t c = 0; c < columns; ++c) {
            p.Store(batch, row + r, column + c, sums[r * stride + c]);
          }
        }
      });
}

constexpr int64_t kFewRows = 4;

// Calls body(batch, column, columns) for pieces of up to `width` columns of every product, which
// read `row_bytes` for each column.
template <typename Body>
void ForColumns(const gemm::Sizes& sizes, int64_t width, const Body& body) {
  const int64_t across = (sizes.n + width - 1) / width;
  const int64_t work = std::max<int64_t>(1, std::min(width, sizes.n) * sizes.k * sizes.m);
  ParallelFor(sizes.batches * across, 50'000 / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t column = i % across * width;
      body(i / across, column, std::min(width, sizes.n - column));
    }
  });
}

// Few rows times a matrix whose rows are contiguous: the matrix is read once, row by row.
template <typename P>
void MultiplyFewRows(const P& p) {
  using C = std::remove_const_t<std::remove_pointer_t<decltype(p.bias)>>;
  constexpr int64_t kWidth = 512;
  ForColumns(p.sizes, kWidth, [&](int64_t batch, int64_t column, int64_t columns) {
    const auto* a = p.a + p.a_starts[batch];
    const auto* b = p.b + p.b_starts[batch] + column;
    C sums[kFewRows][kWidth] = {};
    int64_t k = 0;
    for (; k + 4 <= p.sizes.k; k += 4) {
      const auto* b0 = b + k * p.b_row;
      const auto *b1 = b0 + p.b_row, *b2 = b1 + p.b_row, *b3 = b2 + p.b_row;
      for (int64_t r = 0; r < p.sizes.m; ++r) {
        const auto* from = a + r * p.a_row + k * p.a_column;
        const C a0 = static_cast<C>(from[0]), a1 = static_cast<C>(from[p.a_column]);
        const C a2 = static_cast<C>(from[2 * p.a_column]);
        const C a3 = static_cast<C>(from[3 * p.a_column]);
        C* sum = sums[r];
        for (int64_t c = 0; c < columns; ++c) {
          sum[c] = sum[c] + a0 * static_cast<C>(b0[c]) + a1 * static_cast<C>(b1[c]) +
                   a2 * static_cast<C>(b2[c]) + a3 * static_cast<C>(b3[c]);
        }
      }
    }
    for (; k < p.sizes.k; ++k) {
      for (int64_t r = 0; r < p.sizes.m; ++r) {
        const C factor = static_cast<C>(a[r * p.a_row + k * p.a_column]);
        for (int64_t c = 0; c < columns; ++c) {
          sums[r][c] += factor * static_cast<C>(b[k * p.b_row + c]);
        }
      }
    }
    for (int64_t r = 0; r < p.sizes.m; ++r) {
      for (int64_t c = 0; c < columns; ++c) p.Store(batch, r, column + c, sums[r][c]);
    }
  });
}

// sum of x[i] * y[i], in 32 partial sums.
template <typename T, typename C>
C Dot(const T* x, const T* y, int64_t size) {
  typedef C Vector __attribute__((vector_size(32)));
  constexpr int64_t kLanes = sizeof(Vector) / sizeof(C), kVectors = 4, kStep = kVectors * kLanes;
  const auto load = [](const T* from, Vector& v) {
    if constexpr (std::is_same_v<T, C>) {
      std::memcpy(&v, from, sizeof(Vector));
    } else {
      for (int64_t lane = 0; lane < kLanes; ++lane) v[lane] = static_cast<C>(from[lane]);
    }
  };
  Vector sums[kVectors] = {};
  int64_t i = 0;
  for (; i + kStep <= size; i += kStep) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      Vector left, right;
      load(x + i + v * kLanes, left);
      load(y + i + v * kLanes, right);
      sums[v] += left * right;
    }
  }
  const Vector all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  C sum{};
  for (int64_t lane = 0; lane < kLanes; ++lane) sum += all[lane];
  for (; i < size; ++i) sum += static_cast<C>(x[i]) * static_cast<C>(y[i]);
  return sum;
}

// Few rows times a matrix whose columns are contiguous.
template <typename P>
void MultiplyFewDots(const P& p) {
  using T = std::remove_const_t<std::remove_pointer_t<decltype(p.a)>>;
  using C = std::remove_const_t<std::remove_pointer_t<decltype(p.bias)>>;
  ForColumns(p.sizes, 16, [&](int64_t batch, int64_t column, int64_t columns) {
    for (int64_t c = column; c < column + columns; ++c) {
      const T* b = p.b + p.b_starts[batch] + c * p.b_column;
      for (int64_t r = 0; r < p.sizes.m; ++r) {
        const T* a = p.a + p.a_starts[batch] + r * p.a_row;
        p.Store(batch, r, c, Dot<T, C>(a, b, p.sizes.k));
      }
    }
  });
}

std::vector<int64_t> BatchStarts(const std::vector<int64_t>& dims,
                                 const std::vector<int64_t>& steps) {
  std::vector<int64_t> starts = {0};
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    std::vector<int64_t> longer;
    longer.reserve(starts.size() * static_cast<size_t>(dims[axis]));
    for (const int64_t start : starts) {
      for (int64_t i = 0; i < dims[axis]; ++i) longer.push_back(start + i * steps[axis]);
    }
    starts = std::move(longer);
  }
  return starts;
}

// The elements that the steps of `bias` reach, as C.
template <typename C>
std::vector<C> WideBias(const MatMulProblem& problem, const void* bias) {
  const MatMulProblem::Operand& operand = problem.bias;
  int64_t last = (problem.m - 1) * operand.row_step + (problem.n - 1) * operand.column_step;
  for (size_t axis = 0; axis < problem.batch.size(); ++axis) {
    last += (problem.batch[axis] - 1) * operand.batch_steps[axis];
  }
  std::vector<C> wide(static_cast<size_t>(last) + 1);
  VisitNumbers(operand.dtype, [&]<typename B>(B) {
    // Only of one kind with the result: a float never becomes an integer here.
    if constexpr (std::is_integral_v<B> == std::is_integral_v<C>) {
      const B* from = static_cast<const B*>(bias);
      std::transform(from, from + wide.size(), wide.begin(),
                     [](B value) { return static_cast<C>(value); });
    }
  });
  return wide;
}

template <typename T, typename R>
void Run(const MatMulProblem& problem, const T* a, const T* b, const void* bias, R* y) {
  using C = gemm::SumType<T>;
  std::vector<C> wide;
  if (bias != nullptr) wide = WideBias<C>(problem, bias);
  Product<T, C, R> p = {.sizes = {problem.batches(), problem.m, problem.n, problem.k},
                        .a = a,
                        .b = b,
                        .bias = bias != nullptr ? wide.data() : nullptr,
                        .y = y,
                        .a_row = problem.a.row_step,
                        .a_column = problem.a.column_step,
                        .b_row = problem.b.row_step,
                        .b_column = problem.b.column_step,
                        .bias_row = problem.bias.row_step,
                        .bias_column = problem.bias.column_step,
                        .y_row = problem.n,
                        .y_column = 1,
                        .a_starts = BatchStarts(problem.batch, problem.a.batch_steps),
                        .b_starts = BatchStarts(problem.batch, problem.b.batch_steps),
                        .bias_starts = {}};
  if (bias != nullptr) p.bias_starts = BatchStarts(problem.batch, problem.bias.batch_steps);
  if (p.sizes.n < p.sizes.m && p.sizes.n <= kFewRows) p.Transpose();
  if (p.sizes.m <= kFewRows && p.b_column == 1) {
    MultiplyFewRows(p);
  } else if (p.sizes.m <= kFewRows && p.b_row == 1 && p.a_column == 1) {
    MultiplyFewDots(p);
  } else {
    MultiplyBlocks(p);
  }
}

}  // namespace

bool RunMatMul(const MatMulProblem& problem, const void* a, const void* b, const void* bias,
               void* y) {
  return VisitNumbers(problem.a.dtype, [&]<typename T>(T) {
    using R = std::conditional_t<std::is_same_v<T, int8_t>, int32_t, T>;
    if (problem.batches() * problem.m * problem.n == 0) return;
    Run<T, R>(problem, static_cast<const T*>(a), static_cast<const T*>(b), bias,
              static_cast<R*>(y));
  });
}

Status MatMul(KernelContext& ctx) {
  GE_ASSIGN(const MatMulProblem problem, ReadMatMul(ctx));
  const void* bias = ctx.has_input(2) ? ctx.inputs[2].data : nullptr;
  const bool built =
      RunMatMul(problem, ctx.inputs[0].data, ctx.inputs[1].data, bias, ctx.outputs[0].data);
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
