#include <cstring>

#include "kernels/box.h"
#include "kernels/dispatch.h"
#include "kernels/gather.h"
#include "kernels/indexing.h"
#include "kernels/simd.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

enum class Reduction { kNone, kAdd, kMultiply, kMax, kMin };

Reduction FindReduction(const std::string& name) {
  if (name == "add") return Reduction::kAdd;
  if (name == "mul") return Reduction::kMultiply;
  if (name == "max") return Reduction::kMax;
  return name == "min" ? Reduction::kMin : Reduction::kNone;
}

// Integers wrap; bool adds and multiplies as "or" and "and".
template <typename T>
T Combine(Reduction reduction, T old, T update) {
  if (reduction == Reduction::kMax) return update > old ? update : old;
  if (reduction == Reduction::kMin) return update < old ? update : old;
  const bool add = reduction == Reduction::kAdd;
  if constexpr (std::is_same_v<T, Bool>) {
    return add ? old || update : old && update;
  } else if constexpr (std::is_integral_v<T>) {
    const uint64_t a = static_cast<uint64_t>(old), b = static_cast<uint64_t>(update);
    return static_cast<T>(add ? a + b : a * b);
  } else {
    return add ? static_cast<T>(old + update) : static_cast<T>(old * update);
  }
}

bool CopyData(const KernelContext& ctx) {
  const HostTensor& data = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(data.dtype);
  if (!width) return false;
  std::memcpy(ctx.outputs[0].data, data.data, static_cast<size_t>(data.elements()) * *width);
  return true;
}

// Combines `slice` elements of updates into the output at every offset.
Status Scatter(KernelContext& ctx, const std::vector<int64_t>& offsets, int64_t slice,
               Reduction reduction) {
  if (!CopyData(ctx)) return ctx.NotBuilt();
  const HostTensor &data = ctx.inputs[0], &updates = ctx.inputs[2], &out = ctx.outputs[0];
  if (reduction == Reduction::kNone) {
    const size_t width = *ElementBytes(data.dtype), bytes = static_cast<size_t>(slice) * width;
    const uint8_t* from = updates.as<uint8_t>();
    for (const int64_t offset : offsets) {
      std::memcpy(out.as<uint8_t>() + static_cast<size_t>(offset) * width, from, bytes);
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
  return Scatter(ctx, tuples.offsets, tuples.slice, FindReduction(reduction));
}

}  // namespace

Status ScatterElements(KernelContext& ctx) {
  const HostTensor &data = ctx.inputs[0], &indices = ctx.inputs[1], &updates = ctx.inputs[2];
  const std::optional<size_t> axis = NormalizeAxis(ctx.attrs.Int("axis"), data.shape.rank());
  if (!axis) return ctx.Fail("the axis is outside " + data.shape.ToString());
  const Reduction reduction = FindReduction(ctx.attrs.Str("reduction"));
  const ElementPairs pairs(indices.shape, data.shape, *axis);
  if (!CopyData(ctx)) return ctx.NotBuilt();
  bool known = false, inside = false;
  // In order: a later element wins, and sums are those of one thread.
  const auto run = [&]<typename T>(T, const auto& put) {
    const T* from = updates.as<T>();
    T* to = ctx.outputs[0].as<T>();
    known = VisitIndices(indices, [&](const auto* index) {
      inside = pairs.Visit(index, 0, pairs.rows(),
                           [=](int64_t i, int64_t offset) GE_INLINE { put(to[offset], from[i]); });
    });
  };
  if (reduction == Reduction::kNone) {
    VisitBytes(data.dtype, [&]<typename T>(T type) {
      run(type, [](T& old, const T& update) GE_INLINE { old = update; });
    });
  } else {
    VisitNumbers(data.dtype, [&]<typename T>(T type) {
      run(type, [reduction](T& old, const T& update)
                    GE_INLINE { old = Combine(reduction, old, update); });
    });
  }
  if (!known) return ctx.NotBuilt();
  return inside ? Status::Ok() : ReadIndices(ctx, indices, data.shape, *axis).status();
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
