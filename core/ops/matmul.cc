// MatMulV2, BatchMatMulV2: y = op(x1) @ op(x2) (+ bias), where op transposes the last two axes if
// transpose_x1 / adj_x1 (x2 likewise) is set.
//
//   op(x1) [..., M, K]    op(x2) [..., K, N]    bias [N] or what broadcasts, optional
//   y [..., M, N]
//
// MatMulV2 has exactly two axes; the leading axes of BatchMatMulV2 broadcast.  int8 gives int32,
// and with the attribute float32_result narrower floats give float32.  int8 operands have zero
// points, which are subtracted before they are multiplied: the attribute offset_x and offset_w, one
// number or one per column.  Beyond the prototype both may be uint8, and input 4 may be the zero
// point of x1 where it is not constant.  BatchMatMulV2 then also takes vectors, as ONNX does: x1
// [K] is a row and x2 [K] a column, and y has no such axis.  Models only have them where the rank
// is found when they run. Source: prototypes in tables/ops.json; ONNX MatMul, Gemm.
#include <algorithm>

#include "kernels/heavy_prepare.h"
#include "kernels/matmul.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferMatMul(InferContext& ctx) {
  const bool batched = ctx.node().type() == "BatchMatMulV2";
  const bool t1 = ctx.Bool(batched ? "adj_x1" : "transpose_x1");
  const bool t2 = ctx.Bool(batched ? "adj_x2" : "transpose_x2");
  const bool are_bytes = IsByte(ctx.dtype(0)) && IsByte(ctx.dtype(1));
  if (ctx.dtype(0) != ctx.dtype(1) && !are_bytes) {
    return ctx.Fail("x1 is " + std::string(UserName(ctx.dtype(0))) + " and x2 " +
                    std::string(UserName(ctx.dtype(1))) + "; equal dtypes are accepted");
  }
  const DataType dtype = SumDtype(ctx, ctx.dtype(0));
  for (size_t i = 0; i < 2; ++i) {
    const Shape& shape = ctx.shape(i);
    const bool vector = shape.has_rank(1) && batched && !(i == 0 ? t1 : t2);
    if (shape.unknown_rank() || shape.rank() == 2 || (batched && shape.rank() > 2) || vector) {
      continue;
    }
    return ctx.Fail(InputNames(ctx.node())[i] + " has shape " + shape.ToString() +
                    (batched ? "; 2 or more dims are accepted" : "; 2 dims are accepted"));
  }
  Shape x1 = ctx.shape(0), x2 = ctx.shape(1);
  if (batched && (x1.unknown_rank() || x2.unknown_rank())) {
    ctx.SetOutput(0, dtype, Shape::UnknownRank());
    return Status::Ok();
  }
  if (x1.unknown_rank()) x1 = Shape::UnknownDims(2);
  if (x2.unknown_rank()) x2 = Shape::UnknownDims(2);
  const bool row = x1.rank() == 1, column = x2.rank() == 1;
  if (row) x1 = {1, x1[0]};
  if (column) x2 = {x2[0], 1};
  const size_t r1 = x1.rank(), r2 = x2.rank();
  const int64_t k1 = x1[r1 - (t1 ? 2 : 1)], k2 = x2[r2 - (t2 ? 1 : 2)];
  if (!SameOrUnknown(k1, k2)) {
    return ctx.Fail("x1 " + x1.ToString() + (t1 ? " (transposed)" : "") + " and x2 " +
                    x2.ToString() + (t2 ? " (transposed)" : "") + " differ in the summed axis (" +
                    std::to_string(k1) + " and " + std::to_string(k2) + ")");
  }
  Shape y = {x1[r1 - (t1 ? 1 : 2)], x2[r2 - (t2 ? 2 : 1)]};
  GE_TRY(CheckZeroPoints(ctx, y[1]));
  if (batched) {
    const auto leading = [](const Shape& shape) {
      return Shape(shape.dims().first(shape.rank() - 2));
    };
    GE_ASSIGN(const Shape batch, Broadcast(ctx, leading(x1), leading(x2)));
    std::vector<int64_t> dims = batch.ToVector();
    if (!row) dims.push_back(y[0]);
    if (!column) dims.push_back(y[1]);
    y = Shape(std::move(dims));
  }
  if (ctx.has_input(2)) {
    GE_ASSIGN(const Shape biased, Broadcast(ctx, y, ctx.shape(2)));
    if (!MergeShapes(biased, y)) {
      return ctx.Fail("bias " + ctx.shape(2).ToString() + " does not broadcast to " + y.ToString());
    }
  }
  ctx.SetOutput(0, dtype, std::move(y));
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "MatMulV2",
     .infer = InferMatMul,
     .run_host = kernels::MatMul,
     .prepare = kernels::PrepareMatMul},
    {.type = "BatchMatMulV2",
     .infer = InferMatMul,
     .run_host = kernels::MatMul,
     .prepare = kernels::PrepareMatMul},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
