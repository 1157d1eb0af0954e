// Unreachable: stands for a branch that cannot run with the shapes it would get.
//
//   no inputs    outputs: as the other branch has them, set when the node is made
//
// An operator of this project, for the host engine: running it fails with the attribute `reason`.
#include "ops/op_impl.h"

namespace ge {
namespace {

Status Refuse(KernelContext& ctx) {
  return ctx.Fail(ctx.attrs.Str("reason"));
}

constexpr OpImpl kUnreachable = {
    .type = "Unreachable", .infer = [](InferContext&) { return Status::Ok(); }, .run_host = Refuse};
GE_OP(kUnreachable);

}  // namespace
}  // namespace ge
