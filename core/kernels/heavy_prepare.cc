#include "kernels/heavy_prepare.h"

#include "base/parallel.h"
#include "kernels/byte_heavy.h"
#include "kernels/conv.h"
#include "kernels/heavy_library.h"
#include "kernels/matmul.h"
#include "kernels/stream.h"
#include "kernels/widened.h"
#include "ops/op_impl.h"

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
    const HeavyArgs args = {.x = x, .filter = filter, .bias = bias, .y = y};
    if (primitive_ != nullptr && primitive_->Run(ThreadCount(), args)) return Status::Ok();
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

// Steps of a tensor whose channels are last in memory.
void MoveChannelsLast(Tensor5& tensor) {
  int64_t step = 1;
  for (const size_t axis : {1, 4, 3, 2, 0}) {
    tensor.steps[axis] = step;
    step *= tensor.dims[axis];
  }
}

class ConvAndMore : public FormedConv {
 public:
  ConvAndMore(ConvProblem problem, std::unique_ptr<const HeavyPrimitive> primitive)
      : problem_(std::move(problem)), primitive_(std::move(primitive)) {}

  bool Run(const KernelContext& conv, const void* addend, void* y) const override {
    HeavyArgs args = ArgsOf(conv);
    args.addend = addend;
    args.y = y;
    return primitive_ != nullptr && primitive_->Run(ThreadCount(), args);
  }

  Status RunAlone(KernelContext& conv) const override {
    const HeavyArgs args = ArgsOf(conv);
    const auto run = problem_.transposed ? RunConvTranspose : RunConv;
    return run(problem_, args.x, args.filter, args.bias, conv.outputs[0].data) ? Status::Ok()
                                                                               : conv.NotBuilt();
  }

  uint64_t bytes() const override { return primitive_ != nullptr ? primitive_->bytes() : 0; }

 private:
  HeavyArgs ArgsOf(const KernelContext& conv) const {
    const size_t x = problem_.transposed ? 1 : 0;
    HeavyArgs args = {.x = conv.inputs[x].data, .filter = conv.inputs[x + 1].data};
    if (conv.has_input(x + 2)) args.bias = conv.inputs[x + 2].data;
    return args;
  }

  const ConvProblem problem_;
  const std::unique_ptr<const HeavyPrimitive> primitive_;  // null: the plain kernel is as good
};

using Prepared = std::unique_ptr<const PreparedKernel>;

Prepared PreparedConvOf(ConvProblem problem, const void* filter,
                        PreparedHeavy<ConvProblem>::PlainFn plain, size_t first) {
  std::unique_ptr<const HeavyPrimitive> primitive;
  if (const HeavyTable* library = HeavyLibrary()) primitive = library->conv(problem, filter, {});
  return std::make_unique<PreparedHeavy<ConvProblem>>(std::move(problem), std::move(primitive),
                                                      plain, first);
}

}  // namespace

Result<Prepared> PrepareConv(const KernelContext& ctx) {
  if (IsByte(ctx.inputs[0].dtype)) return PrepareByteConv(ctx);
  GE_ASSIGN(ConvProblem problem, ReadConv(ctx));
  if (IsNarrowFloat(problem.dtype) && !problem.is_product()) {
    return PrepareWidened(ctx, PrepareConv);
  }
  return PreparedConvOf(std::move(problem), ctx.inputs[1].data, RunConv, 0);
}

Result<Prepared> PrepareConvTranspose(const KernelContext& ctx) {
  if (IsNarrowFloat(ctx.inputs[2].dtype)) return PrepareWidened(ctx, PrepareConvTranspose);
  GE_ASSIGN(ConvProblem problem, ReadConvTranspose(ctx));
  return PreparedConvOf(std::move(problem), ctx.inputs[2].data, RunConvTranspose, 1);
}

Result<ConvProblem> ReadFormedConv(const KernelContext& ctx, const ConvForm& form) {
  const bool transposed = ctx.attrs.node().type() == "Conv2DTranspose";
  GE_ASSIGN(ConvProblem problem, transposed ? ReadConvTranspose(ctx) : ReadConv(ctx));
  if (form.x_channels_last) MoveChannelsLast(problem.x);
  if (form.y_channels_last) MoveChannelsLast(problem.y);
  return problem;
}

Result<std::unique_ptr<const FormedConv>> FormConv(const KernelContext& ctx, const ConvForm& form) {
  std::unique_ptr<const FormedConv> formed;
  GE_ASSIGN(ConvProblem problem, ReadFormedConv(ctx, form));
  if (IsByte(problem.dtype)) {
    if (!form.post_ops.empty()) return formed;
    return FormByteConv(ctx, std::move(problem));
  }
  const size_t filter = problem.transposed ? 2 : 1;
  std::unique_ptr<const HeavyPrimitive> primitive;
  if (const HeavyTable* library = HeavyLibrary()) {
    primitive = library->conv(problem, ctx.inputs[filter].data, form.post_ops);
  }
  if (primitive == nullptr && !form.post_ops.empty()) return formed;
  formed = std::make_unique<ConvAndMore>(std::move(problem), std::move(primitive));
  return formed;
}

Result<Prepared> PrepareMatMul(const KernelContext& ctx) {
  if (IsByte(ctx.inputs[0].dtype)) return PrepareByteMatMul(ctx);
  GE_ASSIGN(MatMulProblem problem, ReadMatMul(ctx));
  if (IsNarrowFloat(problem.a.dtype)) {
    if (Prepared streamed = PrepareStreamedMatMul(problem)) return streamed;
  }
  std::unique_ptr<const HeavyPrimitive> primitive;
  if (const HeavyTable* library = HeavyLibrary()) primitive = library->matmul(problem);
  Prepared prepared = std::make_unique<PreparedHeavy<MatMulProblem>>(
      std::move(problem), std::move(primitive), RunMatMul, 0);
  return prepared;
}

}  // namespace ge::kernels
