#include "kernels/gather.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernels/box.h"
#include "kernels/elementwise.h"
#include "kernels/indexing.h"
#include "ops/op_impl.h"

namespace ge::kernels {

Status GatherV2(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> given = ToInts(ctx.inputs[2]);
  if (!width || !given || given->size() != 1) return ctx.NotBuilt();
  const std::optional<size_t> axis = NormalizeAxis(given->front(), x.shape.rank());
  if (!axis) return ctx.Fail("the axis is outside " + x.shape.ToString());
  GE_ASSIGN(AxisOffsets chosen, ReadIndices(ctx, ctx.inputs[1], x.shape, *axis));
  const std::vector<int64_t> strides = StridesOf(x.shape);
  for (int64_t& offset : chosen) offset *= strides[*axis];
  std::vector<AxisOffsets> axes;
  for (size_t i = 0; i < x.shape.rank(); ++i) {
    if (i == *axis) {
      axes.push_back(std::move(chosen));
    } else {
      axes.push_back(SteppedOffsets(0, 1, x.shape[i], strides[i]));
    }
  }
  GatherBox(x.data, axes, *width, nullptr, ctx.outputs[0].data);
  return Status::Ok();
}

Status GatherNd(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  if (!width) return ctx.NotBuilt();
  const size_t batch_dims = static_cast<size_t>(ctx.attrs.Int("batch_dims"));
  GE_ASSIGN(const TupleOffsets tuples, ReadTuples(ctx, ctx.inputs[1], x.shape, batch_dims));
  const size_t bytes = static_cast<size_t>(tuples.slice) * *width;
  uint8_t* out = ctx.outputs[0].as<uint8_t>();
  for (const int64_t offset : tuples.offsets) {
    std::memcpy(out, x.as<uint8_t>() + static_cast<size_t>(offset) * *width, bytes);
    out += bytes;
  }
  return Status::Ok();
}

Status GatherElements(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &indices = ctx.inputs[1];
  const std::optional<size_t> axis = NormalizeAxis(ctx.attrs.Int("dim"), x.shape.rank());
  if (!axis) return ctx.NotBuilt();
  const ElementPairs pairs(indices.shape, x.shape, *axis);
  const int64_t grain =
      std::max<int64_t>(kElementGrain / std::max<int64_t>(pairs.row_size(), 1), 1);
  std::atomic<bool> inside = true;
  bool built = false;
  VisitBytes(x.dtype, [&]<typename T>(T) {
    built = VisitIndices(indices, [&]<typename Index>(const Index* index) {
      ParallelFor(pairs.rows(), grain, [&](int64_t begin, int64_t end) {
        const T* from = x.as<T>();
        T* to = ctx.outputs[0].as<T>();
        const bool fits = pairs.Visit(
            index, begin, end, [=](int64_t i, int64_t offset) GE_INLINE { to[i] = from[offset]; });
        if (!fits) inside = false;
      });
    });
  });
  if (!built) return ctx.NotBuilt();
  return inside ? Status::Ok() : ReadIndices(ctx, indices, x.shape, *axis).status();
}

}  // namespace ge::kernels
