#include <cstring>

#include "kernels/box.h"
#include "kernels/dispatch.h"
#include "kernels/gather.h"
#include "kernels/indexing.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Integers wrap; bool adds and multiplies as "or" and "and".
template <typename T>
T Combine(const std::string& reduction, T old, T update) {
  if (reduction == "max") return update > old ? update : old;
  if (reduction == "min") return update < old ? update : old;
  const bool add = reduction == "add";
  if constexpr (std::is_same_v<T, Bool>) {
    return add ? old || update : old && update;
  } else if constexpr (std::is_integral_v<T>) {
    const uint64_t a = static_cast<uint64_t>(old), b = static_cast<uint64_t>(update);
    return static_cast<T>(add ? a + b : a * b);
  } else {
    return add ? static_cast<T>(old + update) : static_cast<T>(old * update);
  }
}

// Copies data to the output and combines `slice` elements of updates into it at every offset.
Status Scatter(KernelContext& ctx, const std::vector<int64_t>& offsets, int64_t slice,
               const std::string& reduction) {
  const HostTensor& data = ctx.inputs[0];
  const HostTensor& updates = ctx.inputs[2];
  const HostTensor& out = ctx.outputs[0];
  const std::optional<size_t> width = ElementBytes(data.dtype);
  if (!width) return ctx.NotBuilt();
  std::memcpy(out.data, data.data, static_cast<size_t>(data.elements()) * *width);
  const size_t bytes = static_cast<size_t>(slice) * *width;
  if (reduction == "none") {
    const uint8_t* from = updates.as<uint8_t>();
    for (const int64_t offset : offsets) {
      std::memcpy(out.as<uint8_t>() + static_cast<size_t>(offset) * *width, from, bytes);
      from += bytes;
    }
    return Status::Ok();
  }
  const bool known = VisitNumbers(data.dtype, [&]<typename T>(T) {
    const T* from = updates.as<T>();
    for (const int64_t offset : offsets) {
      T* to = out.as<T>() + offset;
      for (int64_t i = 0; i < slice; ++i, ++from) to[i] = Combine(reduction, to[i], *from);
    }
  });
  return known ? Status::Ok() : ctx.NotBuilt();
}

Status ScatterTuples(KernelContext& ctx, const std::string& reduction) {
  GE_ASSIGN(const TupleOffsets tuples, ReadTuples(ctx, ctx.inputs[1], ctx.inputs[0].shape, 0));
  return Scatter(ctx, tuples.offsets, tuples.slice, reduction);
}

}  // namespace

Status ScatterElements(KernelContext& ctx) {
  const Shape& shape = ctx.inputs[0].shape;
  const std::optional<size_t> axis = NormalizeAxis(ctx.attrs.Int("axis"), shape.rank());
  if (!axis) return ctx.Fail("the axis is outside " + shape.ToString());
  GE_ASSIGN(const std::vector<int64_t> offsets, ElementOffsets(ctx, ctx.inputs[1], shape, *axis));
  return Scatter(ctx, offsets, 1, ctx.attrs.Str("reduction"));
}

Status ScatterNdUpdate(KernelContext& ctx) {
  return ScatterTuples(ctx, ctx.attrs.Has("reduction") ? ctx.attrs.Str("reduction") : "none");
}
Status ScatterNdAdd(KernelContext& ctx) {
  return ScatterTuples(ctx, "add");
}
Status ScatterNdMax(KernelContext& ctx) {
  return ScatterTuples(ctx, "max");
}
Status ScatterNdMin(KernelContext& ctx) {
  return ScatterTuples(ctx, "min");
}

}  // namespace ge::kernels
