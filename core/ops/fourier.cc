// FFT, IFFT: discrete Fourier transform along the last axis and its inverse, which divides by the
// length.
//
//   x [.., n], complex    y as x
//
// Source: prototypes FFT and IFFT in tables/ops.json; TensorFlow fft, ifft.
#include "kernels/fourier.h"

#include <string>

#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  if (ctx.dtype(0) != DataType::kComplex64 && ctx.dtype(0) != DataType::kComplex128) {
    return ctx.Fail("x is of dtype " + std::string(UserName(ctx.dtype(0))) +
                    "; complex64 and complex128 are accepted");
  }
  if (x.has_rank(0)) return ctx.Fail("x is a scalar; 1 or more dims are accepted");
  return SameAsInput(ctx);
}

constexpr OpImpl kImpls[] = {
    {.type = "FFT", .infer = InferShape, .run_host = kernels::Fft, .dtypes = DtypeSet::kAny},
    {.type = "IFFT", .infer = InferShape, .run_host = kernels::Ifft, .dtypes = DtypeSet::kAny},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
