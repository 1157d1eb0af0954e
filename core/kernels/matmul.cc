#include "kernels/matmul.h"

#include <algorithm>

#include "kernels/byte_heavy.h"
#include "kernels/gemm.h"
#include "kernels/half_rows.h"

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

constexpr int64_t kFewRows = 16;
constexpr int64_t kAtOnce = gemm::kRowsAtOnce;
constexpr int64_t kSums = 4096;  // that fit the first-level cache, beside some rows

// Calls body(batch, column, columns) for pieces of up to `width` columns of every product.
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

// `size` elements at `from` as C: those themselves, or converted into `copy`.
template <typename C, typename T>
const C* AsSums(const T* from, int64_t size, C* copy) {
  if constexpr (std::is_same_v<T, C>) {
    return from;
  } else {
    if constexpr (kIsNarrowFloat<T>) {
      WidenRow(from, copy, size);
    } else {
      for (int64_t i = 0; i < size; ++i) copy[i] = static_cast<C>(from[i]);
    }
    return copy;
  }
}

// Few rows times a matrix whose rows are contiguous: the matrix is read once, row by row.
template <typename P>
void MultiplyFewRows(const P& p) {
  using C = std::remove_const_t<std::remove_pointer_t<decltype(p.bias)>>;
  constexpr bool kIsWide = std::is_same_v<std::decay_t<decltype(*p.b)>, C>;  // read in place
  // Rows as long as the sums fit; a piece for every thread.
  const int64_t most = kSums / (p.sizes.m == 1 ? 1 : p.sizes.m <= 4 ? 4 : kFewRows);
  const int64_t share = (p.sizes.n / ThreadCount() + 63) / 64 * 64;
  const int64_t width = std::clamp<int64_t>(share, 64, most);
  ForColumns(p.sizes, width, [&](int64_t batch, int64_t column, int64_t columns) {
    const auto* a = p.a + p.a_starts[batch];
    const auto* b = p.b + p.b_starts[batch] + column;
    C sums[kSums] = {}, copies[kAtOnce][kSums] = {};
    for (int64_t k = 0; k < p.sizes.k; k += kAtOnce) {
      // Behind the last row the factors are 0 and the copies zeros.
      const int64_t here = std::min(kAtOnce, p.sizes.k - k);
      const C* rows[kAtOnce];
      const int64_t ahead = kIsWide && here == kAtOnce ? kAtOnce * p.b_row : 0;
      for (int64_t i = 0; i < kAtOnce; ++i) {
        if (i < here) {
          rows[i] = AsSums(b + (k + i) * p.b_row, columns, copies[i]);
        } else {
          rows[i] = std::fill_n(copies[i], columns, C{0}) - columns;
        }
      }
      for (int64_t r = 0; r < p.sizes.m; ++r) {
        C factors[kAtOnce] = {};
        for (int64_t i = 0; i < here; ++i) {
          factors[i] = static_cast<C>(a[r * p.a_row + (k + i) * p.a_column]);
        }
        gemm::AddRows(columns, factors, rows, sums + r * width, r == 0 ? ahead : 0);
      }
    }
    for (int64_t r = 0; r < p.sizes.m; ++r) {
      for (int64_t c = 0; c < columns; ++c) p.Store(batch, r, column + c, sums[r * width + c]);
    }
  });
}

// Few rows times a matrix whose columns are contiguous.
template <typename P>
void MultiplyFewDots(const P& p) {
  using C = std::remove_const_t<std::remove_pointer_t<decltype(p.bias)>>;
  constexpr bool kIsWide = std::is_same_v<std::decay_t<decltype(*p.b)>, C>;  // read in place
  constexpr int64_t kAtOnce = kIsWide ? 16 : 1;
  ForColumns(p.sizes, 16, [&](int64_t batch, int64_t column, int64_t columns) {
    const int64_t k = kIsWide ? 0 : p.sizes.k;
    std::vector<C> a_copy(static_cast<size_t>(k)), b_copy(static_cast<size_t>(k));
    for (int64_t c = column; c < column + columns; c += kAtOnce) {
      const int64_t count = std::min(kAtOnce, column + columns - c);
      const C* b = AsSums(p.b + p.b_starts[batch] + c * p.b_column, p.sizes.k, b_copy.data());
      for (int64_t r = 0; r < p.sizes.m; ++r) {
        const C* a = AsSums(p.a + p.a_starts[batch] + r * p.a_row, p.sizes.k, a_copy.data());
        C sums[kAtOnce];
        gemm::Dots(p.sizes.k, a, b, p.b_column, count, sums);
        for (int64_t i = 0; i < count; ++i) p.Store(batch, r, c + i, sums[i]);
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
    if constexpr (kIsNarrowFloat<T>) {
      if (problem.result == DataType::kFloat) {
        return Run<T, float>(problem, static_cast<const T*>(a), static_cast<const T*>(b), bias,
                             static_cast<float*>(y));
      }
    }
    Run<T, R>(problem, static_cast<const T*>(a), static_cast<const T*>(b), bias,
              static_cast<R*>(y));
  });
}

Status MatMul(KernelContext& ctx) {
  if (IsByte(ctx.inputs[0].dtype)) return ByteMatMul(ctx);
  GE_ASSIGN(const MatMulProblem problem, ReadMatMul(ctx));
  const void* bias = ctx.has_input(2) ? ctx.inputs[2].data : nullptr;
  const bool built =
      RunMatMul(problem, ctx.inputs[0].data, ctx.inputs[1].data, bias, ctx.outputs[0].data);
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
