#pragma once

#include <memory>

#include "kernels/kernel_context.h"

// float16 and bfloat16 by way of the kernels of float32: operands are widened into memory of the
// call, results are rounded once.
namespace ge::kernels {

inline bool IsNarrowFloat(DataType dtype) {
  return dtype == DataType::kFloat16 || dtype == DataType::kBf16;
}

// Calls `run`, a kernel or a prepared one, with all narrow floats of `ctx` as float32.
template <typename Run>
Status RunWidened(KernelContext& ctx, const Run& run);

using PrepareKernelFn = Result<std::unique_ptr<const PreparedKernel>> (*)(const KernelContext&);
// What `prepare` makes of the node in float32, made to run on what the node has.
Result<std::unique_ptr<const PreparedKernel>> PrepareWidened(const KernelContext& ctx,
                                                             PrepareKernelFn prepare);

// --- how ---

// The tensors of a call in float32.
class WidenedTensors {
 public:
  explicit WidenedTensors(const KernelContext& ctx);
  std::vector<HostTensor> inputs, outputs;
  // Rounds the results to the outputs of `ctx`.
  void Store(const KernelContext& ctx) const;

 private:
  HostTensor Widened(const HostTensor& tensor);
  std::vector<std::unique_ptr<float[]>> memory_;
};

template <typename Run>
Status RunWidened(KernelContext& ctx, const Run& run) {
  WidenedTensors wide(ctx);
  KernelContext context{wide.inputs, wide.outputs, ctx.attrs, ctx.allocator};
  GE_TRY(run(context));
  wide.Store(ctx);
  return Status::Ok();
}

}  // namespace ge::kernels
