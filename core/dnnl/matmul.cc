#include <algorithm>

#include "makers.h"
#include "primitive.h"

// Matrix products of float32.  Operands stay in their own layouts: packed weights would be a second
// copy of most of a model, and gain little where there are many rows.
namespace ge::onednn {
namespace {

class Product : public HeavyPrimitive {
 public:
  explicit Product(const MatMulProblem& problem)
      : a_(DescOf(problem, problem.a, problem.m, problem.k)),
        b_(DescOf(problem, problem.b, problem.k, problem.n)) {
    MatMulProblem::Operand y;
    y.row_step = problem.n;
    y.column_step = 1;
    y.batch_steps.resize(problem.batch.size());
    int64_t step = problem.m * problem.n;
    for (size_t axis = problem.batch.size(); axis-- > 0;) {
      y.batch_steps[axis] = step;
      step *= problem.batch[axis];
    }
    y_ = DescOf(problem, y, problem.m, problem.n);
    if (problem.bias.dtype != DataType::kUndefined) {
      Dims dims(problem.batch.size() + 1, 1), steps(problem.batch.size() + 1, problem.n);
      dims.push_back(problem.n);
      steps.push_back(1);
      bias_ = Desc(dims, dnnl::memory::data_type::f32, steps);
    }
    MakeMatMulDesc(Engine(), a_, b_, bias_, y_);  // throws when there is no code
  }

  uint64_t bytes() const override { return 0; }

  bool Run(int threads, const void* a, const void* b, const void* bias, void* y) const override {
    const OmpThreads scope(threads);
    const auto variant = variants_.Get(threads, [&] {
      const auto desc = MakeMatMulDesc(Engine(), a_, b_, bias_, y_);
      return std::make_shared<const Variant>(Variant{desc.scratchpad_desc(), dnnl::matmul(desc)});
    });
    if (variant == nullptr) return false;
    const size_t scratch_bytes = variant->scratchpad.get_size();
    Workspace space(scratch_bytes);
    if (!space.ok()) return false;
    try {
      dnnl::stream stream(Engine());
      std::unordered_map<int, dnnl::memory> args = {
          {DNNL_ARG_SRC, View(a_, a)},
          {DNNL_ARG_WEIGHTS, View(b_, b)},
          {DNNL_ARG_DST, View(y_, y)},
          {DNNL_ARG_SCRATCHPAD, View(variant->scratchpad, space.Take(scratch_bytes))}};
      if (bias != nullptr) args.emplace(DNNL_ARG_BIAS, View(bias_, bias));
      variant->primitive.execute(stream, args);
      stream.wait();
    } catch (const dnnl::error&) {
      return false;
    }
    return true;
  }

 private:
  struct Variant {
    Desc scratchpad;
    dnnl::matmul primitive;
  };

  // An axis along which the operand repeats gets length 1.
  static Desc DescOf(const MatMulProblem& problem, const MatMulProblem::Operand& operand,
                     int64_t rows, int64_t columns) {
    Dims dims, steps;
    for (size_t axis = 0; axis < problem.batch.size(); ++axis) {
      const bool repeats = operand.batch_steps[axis] == 0;
      dims.push_back(repeats ? 1 : problem.batch[axis]);
      steps.push_back(repeats ? rows * columns : operand.batch_steps[axis]);
    }
    dims.insert(dims.end(), {rows, columns});
    steps.insert(steps.end(), {operand.row_step, operand.column_step});
    return Desc(dims, dnnl::memory::data_type::f32, steps);
  }

  Desc a_, b_, bias_, y_;
  PerThreads<Variant> variants_;
};

bool IsColumnBias(const MatMulProblem& problem) {
  const auto& steps = problem.bias.batch_steps;
  return problem.bias.dtype == DataType::kUndefined ||
         (problem.bias.dtype == DataType::kFloat && problem.bias.row_step == 0 &&
          problem.bias.column_step == 1 &&
          std::all_of(steps.begin(), steps.end(), [](int64_t step) { return step == 0; }));
}

// Whether the plain kernel, which reads the matrix of few rows or columns once, is the faster one.
bool IsForPlainKernel(const MatMulProblem& problem) {
  constexpr int64_t kLarge = 1 << 21;  // elements; beyond the caches of one core
  const int64_t few = std::min(problem.m, problem.n);
  const int64_t others = std::max(problem.m, problem.n);
  const bool reads_rows =
      problem.m < problem.n ? problem.b.column_step == 1 : problem.a.row_step == 1;
  return few <= 4 || (few <= (reads_rows ? 16 : 8) && problem.k > kLarge / others);
}

}  // namespace

std::unique_ptr<const HeavyPrimitive> MakeMatMul(const MatMulProblem& problem) {
  constexpr int64_t kMostAxes = 8;
  constexpr int64_t kLeastProducts = 20'000;
  if (problem.a.dtype != DataType::kFloat || !IsColumnBias(problem) || problem.k == 0 ||
      static_cast<int64_t>(problem.batch.size()) > kMostAxes || problem.batches() == 0 ||
      problem.m * problem.n < kLeastProducts / problem.k || IsForPlainKernel(problem)) {
    return nullptr;
  }
  try {
    return std::make_unique<Product>(problem);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace ge::onednn
