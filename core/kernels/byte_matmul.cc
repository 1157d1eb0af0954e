#include <algorithm>

#include "kernels/byte_heavy.h"
#include "kernels/byte_product.h"
#include "kernels/dispatch.h"
#include "kernels/heavy.h"

namespace ge::kernels {
namespace {

using gemm::Quad;

// Where each product of a batch has its operand; one place when it repeats.
std::vector<int64_t> Starts(const MatMulProblem& problem, const MatMulProblem::Operand& operand) {
  std::vector<int64_t> starts = {0};
  for (size_t axis = 0; axis < problem.batch.size(); ++axis) {
    std::vector<int64_t> longer;
    for (const int64_t start : starts) {
      for (int64_t i = 0; i < problem.batch[axis]; ++i) {
        longer.push_back(start + i * operand.batch_steps[axis]);
      }
    }
    starts = std::move(longer);
  }
  const bool repeats =
      std::adjacent_find(starts.begin(), starts.end(), std::not_equal_to<>()) == starts.end();
  return repeats && !starts.empty() ? std::vector<int64_t>{starts[0]} : starts;
}

// One factor of all products of a batch; a single one when it repeats.
using Factor = std::vector<BytePanels>;

const BytePanels& Of(const Factor& factor, int64_t batch) {
  return factor[factor.size() == 1 ? 0 : static_cast<size_t>(batch)];
}

Factor Pack(const MatMulProblem& problem, Side side, const void* data) {
  const bool left = side == Side::kLeft;
  const MatMulProblem::Operand& operand = left ? problem.a : problem.b;
  Factor factor;
  for (const int64_t start : Starts(problem, operand)) {
    factor.push_back(PackBytes(side, operand.dtype, static_cast<const uint8_t*>(data) + start,
                               left ? problem.m : problem.n, problem.k,
                               left ? operand.row_step : operand.column_step,
                               left ? operand.column_step : operand.row_step));
  }
  return factor;
}

// Adds the bias to row `row` of product `batch`.
void AddBias(const MatMulProblem& problem, const void* bias, int64_t batch, int64_t row,
             int64_t column, int64_t columns, uint32_t* y) {
  const MatMulProblem::Operand& operand = problem.bias;
  int64_t from = row * operand.row_step + column * operand.column_step;
  for (size_t axis = problem.batch.size(); axis-- > 0; batch /= problem.batch[axis]) {
    from += batch % problem.batch[axis] * operand.batch_steps[axis];
  }
  VisitIntegers(operand.dtype, [&]<typename T>(T) {
    const T* const values = static_cast<const T*>(bias) + from;
    for (int64_t c = 0; c < columns; ++c) {
      y[c] += static_cast<uint32_t>(values[c * operand.column_step]);
    }
  });
}

Status Product(KernelContext& ctx, const MatMulProblem& problem, const Factor& left,
               const Factor& right) {
  GE_ASSIGN(const std::vector<int32_t> left_zero, ZerosOf(ctx, kOffsetX, Side::kLeft));
  GE_ASSIGN(const std::vector<int32_t> right_zeros, ZerosOf(ctx, kOffsetW, Side::kRight));
  const auto columns_of_y = static_cast<size_t>(problem.n);
  if (left_zero.size() != 1 || (right_zeros.size() != 1 && right_zeros.size() != columns_of_y)) {
    return ctx.NotBuilt();
  }
  const void* const bias = ctx.has_input(2) ? ctx.inputs[2].data : nullptr;
  uint32_t* const y = ctx.outputs[0].as<uint32_t>();
  const int64_t width = gemm::kColumns<Quad>, across = (problem.n + width - 1) / width;
  const int64_t work = std::max<int64_t>(problem.m * width * problem.k, 1);
  ParallelFor(problem.batches() * across, 1'000'000 / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t batch = i / across, column = i % across * width;
      const BytePanels &a = Of(left, batch), &b = Of(right, batch);
      MultiplyPanel(a, b, i % across, [&](int64_t row, int64_t columns, const Quad* products) {
        uint32_t* const to = y + (batch * problem.m + row) * problem.n + column;
        for (int64_t c = 0; c < columns; ++c) {
          const auto at = static_cast<size_t>(column + c);
          const int32_t zero = right_zeros[right_zeros.size() == 1 ? 0 : at];
          to[c] = products[c].bits + ZeroTerm(left_zero[0], a.sums[static_cast<size_t>(row)], zero,
                                              b.sums[at], problem.k);
        }
        if (bias != nullptr) AddBias(problem, bias, batch, row, column, columns, to);
      });
    }
  });
  return Status::Ok();
}

class PreparedByteMatMul : public PreparedKernel {
 public:
  PreparedByteMatMul(MatMulProblem problem, const void* right)
      : problem_(std::move(problem)), right_(Pack(problem_, Side::kRight, right)) {}

  Status Run(KernelContext& ctx) const override {
    return Product(ctx, problem_, Pack(problem_, Side::kLeft, ctx.inputs[0].data), right_);
  }
  uint64_t bytes() const override {
    uint64_t total = 0;
    for (const BytePanels& matrix : right_) total += matrix.bytes();
    return total;
  }

 private:
  const MatMulProblem problem_;
  const Factor right_;
};

}  // namespace

Status ByteMatMul(KernelContext& ctx) {
  GE_ASSIGN(const MatMulProblem problem, ReadMatMul(ctx));
  return Product(ctx, problem, Pack(problem, Side::kLeft, ctx.inputs[0].data),
                 Pack(problem, Side::kRight, ctx.inputs[1].data));
}

Result<std::unique_ptr<const PreparedKernel>> PrepareByteMatMul(const KernelContext& ctx) {
  std::unique_ptr<const PreparedKernel> prepared;
  if (!ctx.has_input(1)) return prepared;
  GE_ASSIGN(MatMulProblem problem, ReadMatMul(ctx));
  prepared = std::make_unique<PreparedByteMatMul>(std::move(problem), ctx.inputs[1].data);
  return prepared;
}

}  // namespace ge::kernels
