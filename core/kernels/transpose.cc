#include "kernels/box.h"
#include "kernels/convert.h"
#include "kernels/layout.h"
#include "ops/op_impl.h"

namespace ge::kernels {

Status Transpose(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> given = ToInts(ctx.inputs[1]);
  if (!width || !given) return ctx.NotBuilt();
  const std::vector<int64_t> strides = StridesOf(x.shape);
  std::vector<StridedAxis> axes;
  for (const int64_t from : *given) {
    const std::optional<size_t> axis = NormalizeAxis(from, x.shape.rank());
    if (!axis) {
      return ctx.Fail("perm names axis " + std::to_string(from) + " of " + x.shape.ToString());
    }
    axes.push_back({x.shape[*axis], strides[*axis]});
  }
  Rearrange(x.data, axes, *width, ctx.outputs[0].data);
  return Status::Ok();
}

}  // namespace ge::kernels
