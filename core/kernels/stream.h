#pragma once

#include <memory>

#include "kernels/heavy_library.h"
#include "kernels/heavy_prepare.h"

// Heavy operators of float16 and bfloat16: what they read is widened piece by piece, what they give
// is rounded once.  Their filters are widened and packed when the model is loaded; factors of
// products stay as they are.
namespace ge::kernels {

// Takes what a convolution gives: elements first, first + 1, ... as they lie in memory, whole
// pixels where the channels are last, and may change them.  Called by several threads.
class ConvSink {
 public:
  virtual ~ConvSink() = default;
  virtual void Store(int64_t first, int64_t count, float* y) const = 0;
};

class StreamedConv {
 public:
  virtual ~StreamedConv() = default;
  // `conv` are the tensors of the convolution; y of it is not written.
  virtual Status Run(const KernelContext& conv, const ConvSink& sink) const = 0;
  virtual uint64_t bytes() const = 0;
};

// A 2-D convolution, also a transposed one, whose filter is of a 16-bit float.  nullptr for one
// that the plain kernel of products reads best as it is.  Shapes of `ctx` have the channels at
// axis 1.
Result<std::unique_ptr<const StreamedConv>> FormStreamedConv(const KernelContext& ctx,
                                                             const ConvForm& form);

// A product with a factor of a 16-bit float; nullptr when the plain kernel is as good.
std::unique_ptr<const PreparedKernel> PrepareStreamedMatMul(const MatMulProblem& problem);

}  // namespace ge::kernels
