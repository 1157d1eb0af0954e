// NonZero: y holds the index tuples of the elements of x that are not 0, in row-major order.
//
//   x [d0, d1, ...]    y [n, rank of x], or with transpose [rank of x, n]; int64
//
// n is known only for a small constant x.
// Source: prototype NonZero in tables/ops.json.  ONNX NonZero maps here.
#include <algorithm>

#include "kernels/generate.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const Shape& x = ctx.shape(0);
  int64_t found = kUnknownDim;
  if (BytesOf(ctx.input(0)).value_or(INT64_MAX) <= kFoldLimitBytes) {
    if (const std::optional<std::vector<double>> values = ctx.ConstDoubles(0)) {
      found = std::count_if(values->begin(), values->end(), [](double v) { return v != 0; });
    }
  }
  const int64_t rank = x.unknown_rank() ? kUnknownDim : static_cast<int64_t>(x.rank());
  ctx.SetOutput(0, DataType::kInt64,
                ctx.Bool("transpose") ? Shape{rank, found} : Shape{found, rank});
  return Status::Ok();
}

constexpr OpImpl kNonZero = {.type = "NonZero", .infer = InferShape, .run_host = kernels::NonZero};
GE_OP(kNonZero);

}  // namespace
}  // namespace ge
