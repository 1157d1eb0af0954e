#include "kernels/generate.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/box.h"
#include "kernels/elementwise.h"
#include "ops/op_impl.h"

namespace ge {

std::optional<int64_t> RangeCount(int64_t start, int64_t limit, int64_t delta) {
  if (delta == 0) return std::nullopt;
  if (delta > 0 ? limit <= start : limit >= start) return 0;
  const uint64_t low = static_cast<uint64_t>(delta > 0 ? start : limit);
  const uint64_t high = static_cast<uint64_t>(delta > 0 ? limit : start);
  const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : 0 - static_cast<uint64_t>(delta);
  const uint64_t count = (high - low - 1) / step + 1;
  if (count > uint64_t{1} << 62) return std::nullopt;
  return static_cast<int64_t>(count);
}

std::optional<int64_t> RangeCount(double start, double limit, double delta) {
  const double count = std::ceil((limit - start) / delta);
  if (delta == 0 || !std::isfinite(count) || count > 0x1p62) return std::nullopt;
  return count > 0 ? static_cast<int64_t>(count) : 0;
}

namespace kernels {
namespace {

Status WriteInts(KernelContext& ctx, const std::vector<int64_t>& values) {
  const bool known = VisitIntegers(ctx.outputs[0].dtype, [&]<typename T>(T) {
    std::transform(values.begin(), values.end(), ctx.outputs[0].as<T>(),
                   [](int64_t value) { return static_cast<T>(value); });
  });
  return known ? Status::Ok() : ctx.NotBuilt();
}

Status FillWith(KernelContext& ctx, int value) {
  const HostTensor& out = ctx.outputs[0];
  const bool known = VisitNumbers(out.dtype, [&]<typename T>(T) {
    std::fill_n(out.as<T>(), out.elements(), static_cast<T>(value));
  });
  return known ? Status::Ok() : ctx.NotBuilt();
}

// Positions of the elements that are not 0; nullopt for a dtype without code.
std::optional<std::vector<int64_t>> NonZeroPositions(const HostTensor& x) {
  std::vector<int64_t> positions;
  const bool known = VisitNumbers(x.dtype, [&]<typename T>(T) {
    for (int64_t i = 0; i < x.elements(); ++i) {
      if (x.as<T>()[i] != T(0)) positions.push_back(i);
    }
  });
  if (!known) return std::nullopt;
  return positions;
}

struct Bytes16 {
  uint64_t low, high;
};

// Elements of input 1 where input 0 is true, of input 2 elsewhere; T has their width.
template <typename T>
void SelectElements(const KernelContext& ctx) {
  ForRows(ctx.outputs[0].shape, ctx.inputs, kElementGrain, [&](const RowPart& row) {
    const uint8_t* condition = ctx.inputs[0].as<uint8_t>() + row.start[0];
    const T* yes = ctx.inputs[1].as<T>() + row.start[1];
    const T* no = ctx.inputs[2].as<T>() + row.start[2];
    T* out = ctx.outputs[0].as<T>() + row.out;
    if (row.step[0] == 0) {
      const T* from = *condition != 0 ? yes : no;
      const int64_t step = row.step[*condition != 0 ? 1 : 2];
      for (int64_t i = 0; i < row.size; ++i) out[i] = from[i * step];
      return;
    }
    for (int64_t i = 0; i < row.size; ++i) {
      const T a = yes[i * row.step[1]], b = no[i * row.step[2]];
      out[i] = condition[i] != 0 ? a : b;
    }
  });
}

// float16 and bfloat16 are computed in float.
template <typename T>
using WideOf = std::conditional_t<std::is_arithmetic_v<T>, T, float>;

}  // namespace

Status Range(KernelContext& ctx) {
  const HostTensor& out = ctx.outputs[0];
  const int64_t count = out.elements();
  const bool known = VisitNumbers(out.dtype, [&]<typename T>(T) {
    const T start = *ctx.inputs[0].as<T>();
    const T delta = *ctx.inputs[2].as<T>();
    T* to = out.as<T>();
    for (int64_t i = 0; i < count; ++i) {
      if constexpr (std::is_integral_v<T>) {
        to[i] = static_cast<T>(static_cast<uint64_t>(start) +
                               static_cast<uint64_t>(i) * static_cast<uint64_t>(delta));
      } else {
        using Wide = WideOf<T>;
        to[i] = static_cast<T>(static_cast<Wide>(start) +
                               static_cast<Wide>(i) * static_cast<Wide>(delta));
      }
    }
  });
  return known ? Status::Ok() : ctx.NotBuilt();
}

Status ZerosLike(KernelContext& ctx) {
  return FillWith(ctx, 0);
}

Status OnesLike(KernelContext& ctx) {
  return FillWith(ctx, 1);
}

Status ShapeOf(KernelContext& ctx) {
  return WriteInts(ctx, ctx.inputs[0].shape.ToVector());
}

Status SizeOf(KernelContext& ctx) {
  return WriteInts(ctx, {ctx.inputs[0].elements()});
}

Status OneHot(KernelContext& ctx) {
  const HostTensor& out = ctx.outputs[0];
  const std::optional<size_t> width = ElementBytes(out.dtype);
  const std::optional<std::vector<int64_t>> indices = ToInts(ctx.inputs[0]);
  const std::optional<size_t> axis = NormalizeAxis(ctx.attrs.Int("axis"), out.shape.rank());
  if (!width || !indices || !axis) return ctx.NotBuilt();
  const bool wraps = ctx.attrs.Bool("negative_index_support");
  const int64_t depth = out.shape[*axis];
  int64_t inner = 1;
  for (size_t i = *axis + 1; i < out.shape.rank(); ++i) inner *= out.shape[i];
  GatherBox(ctx.inputs[3].data, {AxisOffsets(static_cast<size_t>(out.elements()), 0)}, *width,
            nullptr, out.data);
  for (size_t i = 0; i < indices->size(); ++i) {
    int64_t hot = (*indices)[i];
    if (hot < 0 && wraps) hot += depth;
    if (hot < 0 || hot >= depth) continue;
    const int64_t at = static_cast<int64_t>(i);
    const int64_t to = (at / inner * depth + hot) * inner + at % inner;
    std::memcpy(out.as<uint8_t>() + static_cast<size_t>(to) * *width, ctx.inputs[2].data, *width);
  }
  return Status::Ok();
}

Status Trilu(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const HostTensor& out = ctx.outputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  if (!width) return ctx.NotBuilt();
  const bool upper = ctx.attrs.Int("upper") != 0;
  const size_t rank = x.shape.rank();
  const int64_t rows = x.shape[rank - 2], columns = x.shape[rank - 1];
  int64_t diagonal = 0;
  if (ctx.has_input(1)) {
    const std::optional<std::vector<int64_t>> k = ToInts(ctx.inputs[1]);
    if (!k || k->size() != 1) return ctx.NotBuilt();
    diagonal = std::clamp(k->front(), -rows - 1, columns + 1);
  }
  // Row r keeps the columns from r + diagonal on, or those up to it.
  const int64_t bytes = static_cast<int64_t>(*width);
  const int64_t all = columns == 0 ? 0 : x.elements() / columns;
  for (int64_t i = 0; i < all; ++i) {
    const int64_t edge = i % rows + diagonal + (upper ? 0 : 1);
    const int64_t cut = std::clamp<int64_t>(edge, 0, columns) * bytes;
    const uint8_t* from = x.as<uint8_t>() + i * columns * bytes;
    uint8_t* to = out.as<uint8_t>() + i * columns * bytes;
    const int64_t begin = upper ? cut : 0, end = upper ? columns * bytes : cut;
    std::memset(to, 0, static_cast<size_t>(begin));
    std::memcpy(to + begin, from + begin, static_cast<size_t>(end - begin));
    std::memset(to + end, 0, static_cast<size_t>(columns * bytes - end));
  }
  return Status::Ok();
}

Status NonZero(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<std::vector<int64_t>> positions = NonZeroPositions(x);
  if (!positions) return ctx.NotBuilt();
  const std::vector<int64_t> strides = StridesOf(x.shape);
  const bool transposed = ctx.attrs.Bool("transpose");
  const size_t rank = strides.size(), found = positions->size();
  const int64_t dims[] = {static_cast<int64_t>(found), static_cast<int64_t>(rank)};
  ctx.Allocate(0, transposed ? Shape{dims[1], dims[0]} : Shape{dims[0], dims[1]});
  int64_t* out = ctx.outputs[0].as<int64_t>();
  for (size_t axis = 0; axis < rank; ++axis) {
    for (size_t i = 0; i < found; ++i) {
      out[transposed ? axis * found + i : i * rank + axis] =
          (*positions)[i] / strides[axis] % x.shape[axis];
    }
  }
  return Status::Ok();
}

Status Select(KernelContext& ctx) {
  const HostTensor& out = ctx.outputs[0];
  const std::optional<size_t> width = ElementBytes(out.dtype);
  if (!width) return ctx.NotBuilt();
  switch (*width) {
    case 1:
      SelectElements<uint8_t>(ctx);
      break;
    case 2:
      SelectElements<uint16_t>(ctx);
      break;
    case 4:
      SelectElements<uint32_t>(ctx);
      break;
    case 8:
      SelectElements<uint64_t>(ctx);
      break;
    default:
      SelectElements<Bytes16>(ctx);
      break;
  }
  return Status::Ok();
}

}  // namespace kernels
}  // namespace ge
