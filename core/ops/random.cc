// RandomUniform, RandomStandardNormal: y has the shape that input `shape` spells out, int32 or
// int64, and the dtype of attribute dtype.  Multinomial: per row of logits, classes drawn by them.
//
//   logits [rows, classes]    num_samples: one element    y [rows, num_samples]
//
// Seeds of 0 ask for one of chance in every run.
// Source: prototypes in tables/ops.json.  ONNX RandomUniform, RandomNormal, Bernoulli and
// Multinomial map here.
#include "kernels/random.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferRandom(InferContext& ctx) {
  const DataType* dtype = ctx.node().attrs().Get<DataType>("dtype");
  if (dtype == nullptr) return ctx.Fail("attribute dtype is missing");
  GE_ASSIGN(Shape y, ShapeFromList(ctx, 0));
  ctx.SetOutput(0, *dtype, std::move(y));
  return Status::Ok();
}

Status InferMultinomial(InferContext& ctx) {
  const Shape& logits = ctx.shape(0);
  if (!logits.unknown_rank() && logits.rank() != 2) {
    return ctx.Fail("logits has shape " + logits.ToString() + "; a matrix is accepted");
  }
  const std::optional<std::vector<int64_t>> draws = ctx.ConstInts(1);
  int64_t count = kUnknownDim;
  if (draws) {
    if (draws->size() != 1 || draws->front() < 0) {
      return ctx.Fail("num_samples is not one number that is 0 or more");
    }
    count = draws->front();
  }
  const DataType* dtype = ctx.node().attrs().Get<DataType>("dtype");
  ctx.SetOutput(0, dtype != nullptr ? *dtype : DataType::kInt64,
                Shape{logits.unknown_rank() ? kUnknownDim : logits[0], count});
  return Status::Ok();
}

constexpr OpImpl kRandom[] = {
    {.type = "RandomUniform",
     .infer = InferRandom,
     .run_host = kernels::RandomUniform,
     .random = true},
    {.type = "RandomStandardNormal",
     .infer = InferRandom,
     .run_host = kernels::RandomStandardNormal,
     .random = true},
    {.type = "Multinomial",
     .infer = InferMultinomial,
     .run_host = kernels::Multinomial,
     .random = true},
};
GE_OP(kRandom);

}  // namespace
}  // namespace ge
