#pragma once

#include <memory>
#include <span>

#include "kernels/heavy.h"
#include "kernels/kernel_context.h"

// Heavy operators of a model whose shapes are static: attributes are read once, and the optional
// library runs what it is faster at.
namespace ge::kernels {

Result<std::unique_ptr<const PreparedKernel>> PrepareConv(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareConvTranspose(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareMatMul(const KernelContext& ctx);

// A 2-D convolution, also a transposed one, whose x and y may have their channels last
// in memory, and which may do what follows it on the way.
struct ConvForm {
  bool x_channels_last = false, y_channels_last = false;
  std::span<const PostOp> post_ops;  // float32 alone
};

// What the node describes, with x and y as `form` says.  Shapes of `ctx` have the channels at
// axis 1.
Result<ConvProblem> ReadFormedConv(const KernelContext& ctx, const ConvForm& form);

class FormedConv {
 public:
  virtual ~FormedConv() = default;
  // All of it; `conv` are the tensors of the convolution but for y.  False when the library does
  // not run it: then y may hold anything.
  virtual bool Run(const KernelContext& conv, const void* addend, void* y) const = 0;
  // The convolution alone, by the plain kernel.
  virtual Status RunAlone(KernelContext& conv) const = 0;
  virtual uint64_t bytes() const = 0;
};

// nullptr when the library cannot run the post-operators.  Shapes of `ctx` have the channels at
// axis 1.
Result<std::unique_ptr<const FormedConv>> FormConv(const KernelContext& ctx, const ConvForm& form);

}  // namespace ge::kernels
