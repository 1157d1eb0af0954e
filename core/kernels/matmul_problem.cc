#include <algorithm>

#include "kernels/heavy.h"
#include "ops/op_impl.h"

namespace ge {
namespace {

// Steps of the leading axes of `shape`, aligned at the back with `dims`; 0 where it repeats.
std::vector<int64_t> BatchSteps(const Shape& shape, const std::vector<int64_t>& dims,
                                size_t own_axes) {
  const std::vector<int64_t> strides = StridesOf(shape);
  std::vector<int64_t> steps(dims.size(), 0);
  const size_t leading = shape.rank() > own_axes ? shape.rank() - own_axes : 0;
  for (size_t i = 0; i < leading; ++i) {
    const size_t axis = leading - 1 - i;
    if (shape[axis] != 1) steps[dims.size() - 1 - i] = strides[axis];
  }
  return steps;
}

// Joins the leading axes with the rows where one matrix b multiplies them all.
void JoinBatch(MatMulProblem& problem) {
  const auto repeats = [](const std::vector<int64_t>& steps) {
    return std::all_of(steps.begin(), steps.end(), [](int64_t step) { return step == 0; });
  };
  int64_t step = problem.m * problem.a.row_step;
  bool joins = repeats(problem.b.batch_steps) && problem.a.column_step == 1 &&
               problem.bias.row_step == 0 && repeats(problem.bias.batch_steps);
  for (size_t axis = problem.batch.size(); joins && axis-- > 0;) {
    if (problem.batch[axis] == 1) continue;
    joins = problem.a.batch_steps[axis] == step;
    step *= problem.batch[axis];
  }
  if (!joins) return;
  problem.m *= problem.batches();
  problem.batch.clear();
  for (auto* operand : {&problem.a, &problem.b, &problem.bias}) operand->batch_steps.clear();
}

Shape InsertedOne(const Shape& shape, size_t axis) {
  std::vector<int64_t> dims = shape.ToVector();
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return Shape(std::move(dims));
}

}  // namespace

Result<MatMulProblem> ReadMatMul(const KernelContext& ctx) {
  const bool batched = ctx.attrs.node().type() == "BatchMatMulV2";
  const bool t1 = ctx.attrs.Bool(batched ? "adj_x1" : "transpose_x1");
  const bool t2 = ctx.attrs.Bool(batched ? "adj_x2" : "transpose_x2");
  if (!IsByte(ctx.inputs[0].dtype)) {
    if (ctx.attrs.Int("offset_x") != 0) return ctx.Fail("offset_x is not 0, which is not built");
    if (ctx.inputs.size() > 3 && ctx.inputs[3].dtype != DataType::kUndefined) {
      return ctx.Fail("offset_w is there, which is not built");
    }
  }
  Shape x1 = ctx.inputs[0].shape, x2 = ctx.inputs[1].shape, y = ctx.outputs[0].shape;
  if (x2.rank() == 1) {  // a column, of which y has lost the axis
    x2 = {x2[0], 1};
    y = InsertedOne(y, y.rank());
  }
  if (x1.rank() == 1) {
    x1 = {1, x1[0]};
    y = InsertedOne(y, y.rank() - 1);
  }
  MatMulProblem problem;
  problem.result = ctx.outputs[0].dtype;
  problem.batch.assign(y.dims().begin(), y.dims().end() - 2);
  const auto read = [&](size_t i, const Shape& shape, bool transposed) {
    const int64_t width = shape[shape.rank() - 1];
    return MatMulProblem::Operand{.dtype = ctx.inputs[i].dtype,
                                  .row_step = transposed ? 1 : width,
                                  .column_step = transposed ? width : 1,
                                  .batch_steps = BatchSteps(shape, problem.batch, 2)};
  };
  problem.a = read(0, x1, t1);
  problem.b = read(1, x2, t2);
  problem.m = y[y.rank() - 2];
  problem.n = y[y.rank() - 1];
  problem.k = x1[x1.rank() - (t1 ? 2 : 1)];
  problem.bias.batch_steps.assign(problem.batch.size(), 0);
  if (ctx.inputs.size() > 2 && ctx.inputs[2].dtype != DataType::kUndefined) {
    const Shape& bias = ctx.inputs[2].shape;
    if (IsFloat(ctx.inputs[2].dtype) != IsFloat(problem.result)) return ctx.NotBuilt();
    problem.bias.dtype = ctx.inputs[2].dtype;
    if (bias.rank() >= 1 && bias[bias.rank() - 1] != 1) problem.bias.column_step = 1;
    if (bias.rank() >= 2 && bias[bias.rank() - 2] != 1) {
      problem.bias.row_step = bias[bias.rank() - 1];
    }
    problem.bias.batch_steps = BatchSteps(bias, problem.batch, 2);
  }
  JoinBatch(problem);
  return problem;
}

}  // namespace ge
