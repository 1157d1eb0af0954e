#include "kernels/indexing.h"

namespace ge::kernels {
namespace {

Result<int64_t> InRange(const KernelContext& ctx, int64_t index, const Shape& shape, size_t axis) {
  const int64_t dim = shape[axis];
  if (index < -dim || index >= dim) {
    return ctx.Fail("index " + std::to_string(index) + " is outside axis " + std::to_string(axis) +
                    " of " + shape.ToString());
  }
  return index < 0 ? index + dim : index;
}

Result<std::vector<int64_t>> Ints(const KernelContext& ctx, const HostTensor& tensor) {
  std::optional<std::vector<int64_t>> values = ToInts(tensor);
  if (!values) return ctx.NotBuilt();
  return *std::move(values);
}

}  // namespace

Result<std::vector<int64_t>> ReadIndices(const KernelContext& ctx, const HostTensor& indices,
                                         const Shape& shape, size_t axis) {
  GE_ASSIGN(std::vector<int64_t> values, Ints(ctx, indices));
  for (int64_t& value : values) {
    GE_ASSIGN(value, InRange(ctx, value, shape, axis));
  }
  return values;
}

ElementPairs::ElementPairs(const Shape& indices, const Shape& shape, size_t axis)
    : strides_(StridesOf(shape)), axis_stride_(strides_[axis]), dim_(shape[axis]) {
  strides_[axis] = 0;
  step_ = strides_.back();
  strides_.pop_back();
  row_size_ = indices[indices.rank() - 1];
  sizes_.assign(indices.dims().begin(), indices.dims().end() - 1);
  for (const int64_t size : sizes_) rows_ *= size;
}

int64_t ElementPairs::StartOf(int64_t row) const {
  int64_t start = 0;
  for (size_t i = sizes_.size(); i-- > 0;) {
    start += row % sizes_[i] * strides_[i];
    row /= sizes_[i];
  }
  return start;
}

Result<TupleOffsets> ReadTuples(const KernelContext& ctx, const HostTensor& indices,
                                const Shape& shape, size_t batch_dims) {
  GE_ASSIGN(const std::vector<int64_t> values, Ints(ctx, indices));
  const size_t length = static_cast<size_t>(indices.shape[indices.shape.rank() - 1]);
  const std::vector<int64_t> strides = StridesOf(shape);
  TupleOffsets tuples;
  for (size_t axis = batch_dims + length; axis < shape.rank(); ++axis) tuples.slice *= shape[axis];
  int64_t count = 1;
  for (size_t axis = 0; axis + 1 < indices.shape.rank(); ++axis) count *= indices.shape[axis];
  int64_t per_batch = count;  // tuples
  for (size_t axis = 0; axis < batch_dims; ++axis) {
    if (count != 0) per_batch /= indices.shape[axis];
  }
  const int64_t batch_stride = batch_dims == 0 ? 0 : strides[batch_dims - 1];
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = i / per_batch * batch_stride;
    for (size_t k = 0; k < length; ++k) {
      const int64_t value = values[static_cast<size_t>(i) * length + k];
      GE_ASSIGN(const int64_t index, InRange(ctx, value, shape, batch_dims + k));
      offset += index * strides[batch_dims + k];
    }
    tuples.offsets.push_back(offset);
  }
  return tuples;
}

}  // namespace ge::kernels
