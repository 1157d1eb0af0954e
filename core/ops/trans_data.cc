// TransData: y is x in another layout of its memory (kernels/storage_layout.h).
//
//   x    y: the same elements; one of the two is plain, the other one in blocks
//
// src_format and dst_format are the names of the two formats.  What the dims of a plain y are,
// blocks do not tell: the attribute `dst_shape`, of our own, does.
// Source: prototype TransData in tables/ops.json.
#include "kernels/trans_data.h"

#include "kernels/storage_layout.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

Status InferShape(InferContext& ctx) {
  const std::optional<Format> from = FindFormat(ctx.Str("src_format"));
  const std::optional<Format> to = FindFormat(ctx.Str("dst_format"));
  if (!from || !to || IsBlocked(*from) == IsBlocked(*to)) {
    return ctx.Fail("src_format is " + ctx.Str("src_format") + " and dst_format " +
                    ctx.Str("dst_format") + "; a plain one and one with blocks are accepted");
  }
  const bool blocks = IsBlocked(*to);
  const Shape plain = blocks ? ctx.shape(0) : Shape(ctx.Ints("dst_shape"));
  const std::optional<Shape> stored =
      StorageShape(blocks ? *to : *from, blocks ? *from : *to, plain, ctx.dtype(0));
  if (!stored) {
    return ctx.Fail("a tensor " + plain.ToString() + " of format " +
                    std::string(FormatName(blocks ? *from : *to)) + " has no form in " +
                    std::string(FormatName(blocks ? *to : *from)));
  }
  if (!blocks && *stored != ctx.shape(0)) {
    return ctx.Fail("x is " + ctx.shape(0).ToString() + "; " + plain.ToString() + " is stored as " +
                    stored->ToString());
  }
  ctx.SetOutput(0, ctx.dtype(0), blocks ? *stored : plain);
  return Status::Ok();
}

constexpr OpImpl kTransData = {.type = "TransData",
                               .infer = InferShape,
                               .run_host = kernels::TransData,
                               .dtypes = DtypeSet::kBytes};
GE_OP(kTransData);

}  // namespace
}  // namespace ge
