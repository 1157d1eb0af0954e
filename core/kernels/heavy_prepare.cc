#include "kernels/heavy_prepare.h"

#include "base/parallel.h"
#include "kernels/conv.h"
#include "kernels/heavy_library.h"
#include "kernels/matmul.h"

namespace ge::kernels {
namespace {

// Computes y from inputs first, first + 1 and, where it is there, first + 2: the bias.
template <typename Problem>
class PreparedHeavy : public PreparedKernel {
 public:
  using PlainFn = bool (*)(const Problem&, const void*, const void*, const void*, void*);

  PreparedHeavy(Problem problem, std::unique_ptr<const HeavyPrimitive> primitive, PlainFn plain,
                size_t first)
      : problem_(std::move(problem)),
        primitive_(std::move(primitive)),
        plain_(plain),
        first_(first) {}

  Status Run(KernelContext& ctx) const override {
    const void* const x = ctx.inputs[first_].data;
    const void* const filter = ctx.inputs[first_ + 1].data;
    const void* const bias = ctx.has_input(first_ + 2) ? ctx.inputs[first_ + 2].data : nullptr;
    void* const y = ctx.outputs[0].data;
    if (primitive_ != nullptr && primitive_->Run(ThreadCount(), x, filter, bias, y)) {
      return Status::Ok();
    }
    return plain_(problem_, x, filter, bias, y) ? Status::Ok() : ctx.NotBuilt();
  }

  uint64_t bytes() const override { return primitive_ != nullptr ? primitive_->bytes() : 0; }

 private:
  const Problem problem_;
  const std::unique_ptr<const HeavyPrimitive>
      primitive_;  // null: the library is not the faster one
  const PlainFn plain_;
  const size_t first_;
};

using Prepared = std::unique_ptr<const PreparedKernel>;

Prepared PreparedConvOf(ConvProblem problem, const void* filter,
                        PreparedHeavy<ConvProblem>::PlainFn plain, size_t first) {
  std::unique_ptr<const HeavyPrimitive> primitive;
  if (const HeavyTable* library = HeavyLibrary()) primitive = library->conv(problem, filter);
  return std::make_unique<PreparedHeavy<ConvProblem>>(std::move(problem), std::move(primitive),
                                                      plain, first);
}

}  // namespace

Result<Prepared> PrepareConv(const KernelContext& ctx) {
  GE_ASSIGN(ConvProblem problem, ReadConv(ctx));
  return PreparedConvOf(std::move(problem), ctx.inputs[1].data, RunConv, 0);
}

Result<Prepared> PrepareConvTranspose(const KernelContext& ctx) {
  GE_ASSIGN(ConvProblem problem, ReadConvTranspose(ctx));
  return PreparedConvOf(std::move(problem), ctx.inputs[2].data, RunConvTranspose, 1);
}

Result<Prepared> PrepareMatMul(const KernelContext& ctx) {
  GE_ASSIGN(MatMulProblem problem, ReadMatMul(ctx));
  std::unique_ptr<const HeavyPrimitive> primitive;
  if (const HeavyTable* library = HeavyLibrary()) primitive = library->matmul(problem);
  Prepared prepared = std::make_unique<PreparedHeavy<MatMulProblem>>(
      std::move(problem), std::move(primitive), RunMatMul, 0);
  return prepared;
}

}  // namespace ge::kernels
