// BiasAdd: y = x + bias, a number per channel.
//
//   x, y [..., C] (data_format NHWC and others), or [N, C, ...] (NCHW, NCDHW)    bias [C]
//
// Source: prototype BiasAdd in tables/ops.json.
#include "kernels/arithmetic.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  GE_TRY(SameDtypes(ctx));
  const Shape &x = ctx.shape(0), &bias = ctx.shape(1);
  if (x.unknown_rank() || bias.unknown_rank()) return SameAsInput(ctx);
  const size_t channels = ctx.Str("data_format").starts_with("NC") ? 1 : x.rank() - 1;
  if (x.rank() < 2 || bias.rank() != 1 || !SameOrUnknown(x[channels], bias[0])) {
    return ctx.Fail("bias " + bias.ToString() + " does not fit x " + x.ToString() +
                    " with data_format " + ctx.Str("data_format"));
  }
  return SameAsInput(ctx);
}

constexpr OpImpl kBiasAdd = {.type = "BiasAdd", .infer = InferShape, .run_host = kernels::BiasAdd};
GE_OP(kBiasAdd);

}  // namespace
}  // namespace ge
