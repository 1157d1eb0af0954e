// MatrixDeterminant: y holds the determinant of each matrix of x.
//
//   x [.., n, n], floats    y [..]
//
// Source: prototype MatrixDeterminant in tables/ops.json.  ONNX Det maps here.
#include "kernels/determinant.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  if (x.unknown_rank()) {
    ctx.SetOutput(0, ctx.dtype(0), x);
    return Status::Ok();
  }
  if (x.rank() < 2 || !SameOrUnknown(x[x.rank() - 1], x[x.rank() - 2])) {
    return ctx.Fail("x " + x.ToString() + " is no list of square matrices");
  }
  ctx.SetOutput(0, ctx.dtype(0), Shape(x.dims().first(x.rank() - 2)));
  return Status::Ok();
}

constexpr OpImpl kMatrixDeterminant = {
    .type = "MatrixDeterminant", .infer = InferShape, .run_host = kernels::MatrixDeterminant};
GE_OP(kMatrixDeterminant);

}  // namespace
}  // namespace ge
