// Shape: y holds the dims of x.  Size: y is the number of elements of x.
//
//   x any dtype, any shape    y [rank of x] for Shape, a scalar for Size; int32 or int64 by dtype
//
// Source: prototypes Shape and Size in tables/ops.json.
#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status SetIntegers(InferContext& ctx, Shape shape) {
  const int64_t dtype = ctx.Int("dtype");
  if (dtype != static_cast<int64_t>(DataType::kInt32) &&
      dtype != static_cast<int64_t>(DataType::kInt64)) {
    return ctx.Fail("dtype is " + std::to_string(dtype) + "; 3 (int32) and 9 (int64) are accepted");
  }
  ctx.SetOutput(0, static_cast<DataType>(dtype), std::move(shape));
  return Status::Ok();
}

Status InferShapeOp(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  return SetIntegers(
      ctx, x.unknown_rank() ? Shape::UnknownDims(1) : Shape{static_cast<int64_t>(x.rank())});
}

Status InferSize(InferContext& ctx) {
  return SetIntegers(ctx, Shape{});
}

constexpr OpImpl kShape = {
    .type = "Shape", .infer = InferShapeOp, .run_host = kernels::ShapeOf, .dtypes = DtypeSet::kAny};
constexpr OpImpl kSize = {
    .type = "Size", .infer = InferSize, .run_host = kernels::SizeOf, .dtypes = DtypeSet::kAny};
GE_OP(kShape);
GE_OP(kSize);

}  // namespace
}  // namespace ge
