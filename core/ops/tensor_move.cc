// TensorMove: y is a copy of x with memory of its own.
//
//   x any dtype, any shape    y as x
//
// Source: prototype TensorMove in tables/ops.json.
#include <cstring>

#include "ops/infer_rules.h"

namespace ge {
namespace {

Status Copy(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const auto bytes = static_cast<size_t>(BytesOf(x.dtype, x.elements()).value_or(0));
  if (bytes != 0) std::memcpy(ctx.outputs[0].data, x.data, bytes);
  return Status::Ok();
}

constexpr OpImpl kTensorMove = {
    .type = "TensorMove", .infer = SameAsInput, .run_host = Copy, .dtypes = DtypeSet::kBytes};
GE_OP(kTensorMove);

}  // namespace
}  // namespace ge
