#include "kernels/widened.h"

#include "kernels/narrow.h"

namespace ge::kernels {
namespace {

class WidenedKernel : public PreparedKernel {
 public:
  explicit WidenedKernel(std::unique_ptr<const PreparedKernel> kernel)
      : kernel_(std::move(kernel)) {}
  Status Run(KernelContext& ctx) const override {
    return RunWidened(ctx, [&](KernelContext& wide) { return kernel_->Run(wide); });
  }
  uint64_t bytes() const override { return kernel_->bytes(); }

 private:
  const std::unique_ptr<const PreparedKernel> kernel_;
};

}  // namespace

HostTensor WidenedTensors::Widened(const HostTensor& tensor) {
  if (!IsNarrowFloat(tensor.dtype)) return tensor;
  HostTensor wide = tensor;
  wide.dtype = DataType::kFloat;
  if (tensor.data == nullptr) return wide;
  memory_.push_back(
      std::make_unique_for_overwrite<float[]>(static_cast<size_t>(tensor.elements()) + 1));
  wide.data = memory_.back().get();
  return wide;
}

WidenedTensors::WidenedTensors(const KernelContext& ctx) {
  for (const HostTensor& tensor : ctx.inputs) {
    inputs.push_back(Widened(tensor));
    if (tensor.data == nullptr || inputs.back().data == tensor.data) continue;
    ConvertFloats(tensor.dtype, tensor.data, DataType::kFloat, inputs.back().data,
                  tensor.elements(), false);
  }
  for (const HostTensor& tensor : ctx.outputs) outputs.push_back(Widened(tensor));
}

void WidenedTensors::Store(const KernelContext& ctx) const {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const HostTensor& to = ctx.outputs[i];
    if (outputs[i].data == to.data) continue;
    ConvertFloats(DataType::kFloat, outputs[i].data, to.dtype, to.data, to.elements(), false);
  }
}

Result<std::unique_ptr<const PreparedKernel>> PrepareWidened(const KernelContext& ctx,
                                                             PrepareKernelFn prepare) {
  WidenedTensors wide(ctx);  // constants are there for the library to pack
  const KernelContext context{wide.inputs, wide.outputs, ctx.attrs, ctx.allocator};
  GE_ASSIGN(std::unique_ptr<const PreparedKernel> kernel, prepare(context));
  if (kernel != nullptr) kernel = std::make_unique<WidenedKernel>(std::move(kernel));
  return kernel;
}

}  // namespace ge::kernels
