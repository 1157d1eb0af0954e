// NonZero: y holds the index tuples of the elements of x that are not 0, in row-major order.
//
//   x [d0, d1, ...]    y [n, rank of x], or with transpose [rank of x, n]; int64
//
// n is known at run time only.
// Source: prototype NonZero in tables/ops.json.  ONNX NonZero maps here.
#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  const int64_t rank = x.unknown_rank() ? kUnknownDim : static_cast<int64_t>(x.rank());
  ctx.SetOutput(0, DataType::kInt64,
                ctx.Bool("transpose") ? Shape{rank, kUnknownDim} : Shape{kUnknownDim, rank});
  return Status::Ok();
}

constexpr OpImpl kNonZero = {
    .type = "NonZero", .infer = InferShape, .run_host = kernels::NonZero, .data_sized = true};
GE_OP(kNonZero);

}  // namespace
}  // namespace ge
