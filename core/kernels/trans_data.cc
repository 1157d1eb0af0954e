#include "kernels/trans_data.h"

#include <cstring>

#include "kernels/box.h"
#include "kernels/storage_layout.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Calls copy(element, place) for all elements of a tensor, row by row.
template <typename Copy>
void ForElements(const Shape& shape, const StorageLayout& layout, const Copy& copy) {
  const size_t last = shape.rank() - 1;
  const std::vector<int64_t>& row = layout.offsets[last];
  const Shape outer(shape.dims().first(last));
  IndexCounter rows(outer);
  const int64_t count = row.empty() ? 0 : shape.elements().value_or(0) / std::ssize(row);
  for (int64_t i = 0, element = 0; i < count; ++i, rows.Next()) {
    int64_t start = 0;
    for (size_t axis = 0; axis < last; ++axis) start += layout.offsets[axis][rows.index()[axis]];
    for (const int64_t offset : row) copy(element++, start + offset);
  }
}

}  // namespace

Status TransData(KernelContext& ctx) {
  const HostTensor &x = ctx.inputs[0], &y = ctx.outputs[0];
  const Format from = FindFormat(ctx.attrs.Str("src_format")).value_or(Format::kND);
  const Format to = FindFormat(ctx.attrs.Str("dst_format")).value_or(Format::kND);
  const bool blocks = IsBlocked(to);
  const Shape& shape = blocks ? x.shape : y.shape;
  const auto layout = StorageLayoutOf(blocks ? to : from, blocks ? from : to, shape, x.dtype);
  if (!layout) return ctx.Fail("the formats do not go together");
  const bool built = VisitBytes(x.dtype, [&]<typename T>(T) {
    const T* const in = x.as<T>();
    T* const out = y.as<T>();
    if (blocks) {
      std::memset(y.data, 0, static_cast<size_t>(y.elements()) * sizeof(T));
      ForElements(shape, *layout, [&](int64_t i, int64_t place) { out[place] = in[i]; });
    } else {
      ForElements(shape, *layout, [&](int64_t i, int64_t place) { out[i] = in[place]; });
    }
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
