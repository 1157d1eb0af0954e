#include "kernels/sort.h"

#include <algorithm>
#include <numeric>

#include "kernels/dispatch.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

template <typename T>
bool IsLess(T a, T b) {
  if (b != b) return a == a;
  return a < b;
}

// The first k of the `count` elements that are `stride` apart.
template <typename T>
void SelectLine(const T* in, T* values, int64_t* indices, size_t k, size_t count, size_t stride,
                bool largest, std::vector<size_t>& order) {
  order.resize(count);
  std::iota(order.begin(), order.end(), size_t{0});
  const auto before = [&](size_t a, size_t b) {
    const T x = in[a * stride], y = in[b * stride];
    if (largest ? IsLess(y, x) : IsLess(x, y)) return true;
    if (largest ? IsLess(x, y) : IsLess(y, x)) return false;
    return a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<ptrdiff_t>(k), order.end(), before);
  for (size_t i = 0; i < k; ++i) {
    values[i * stride] = in[order[i] * stride];
    indices[i * stride] = static_cast<int64_t>(order[i]);
  }
}

}  // namespace

Status TopK(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const Shape& result = ctx.outputs[0].shape;
  const std::optional<size_t> axis = NormalizeAxis(ctx.attrs.Int("dim"), x.shape.rank());
  if (!axis) return ctx.Fail("the axis is outside " + x.shape.ToString());
  const size_t count = static_cast<size_t>(x.shape[*axis]);
  const size_t k = static_cast<size_t>(result[*axis]);
  const size_t inner = static_cast<size_t>(StridesOf(x.shape)[*axis]);
  const size_t lines = k == 0 ? 0 : static_cast<size_t>(result.elements().value()) / k;
  const bool largest = ctx.attrs.Bool("largest");
  std::vector<int64_t> indices(static_cast<size_t>(result.elements().value()));
  std::vector<size_t> order;
  const bool known = VisitNumbers(x.dtype, [&]<typename T>(T) {
    for (size_t line = 0; line < lines; ++line) {
      const size_t from = line / inner * inner * count + line % inner;
      const size_t to = line / inner * inner * k + line % inner;
      SelectLine(x.as<T>() + from, ctx.outputs[0].as<T>() + to, indices.data() + to, k, count,
                 inner, largest, order);
    }
  });
  if (!known || ctx.outputs.size() < 2) return known ? Status::Ok() : ctx.NotBuilt();
  VisitIntegers(ctx.outputs[1].dtype, [&]<typename T>(T) {
    std::transform(indices.begin(), indices.end(), ctx.outputs[1].as<T>(),
                   [](int64_t index) { return static_cast<T>(index); });
  });
  return Status::Ok();
}

}  // namespace ge::kernels
