#pragma once

#include <cstdint>
#include <vector>

#include "kernels/convert.h"
#include "kernels/kernel_context.h"

// How the Gather and Scatter kernels read their index inputs.  Negative indices count from the
// end; an index out of range is refused with a message that names it.
namespace ge::kernels {

// The elements of `indices`, indices into `axis` of `shape`, counted from the front.
Result<std::vector<int64_t>> ReadIndices(const KernelContext& ctx, const HostTensor& indices,
                                         const Shape& shape, size_t axis);

// Calls visit(const int32_t*) or visit(const int64_t*) on the elements; false for other dtypes.
template <typename Visit>
bool VisitIndices(const HostTensor& indices, const Visit& visit) {
  if (indices.dtype == DataType::kInt32) {
    visit(indices.as<const int32_t>());
  } else if (indices.dtype == DataType::kInt64) {
    visit(indices.as<const int64_t>());
  } else {
    return false;
  }
  return true;
}

// How GatherElements and ScatterElements pair the elements of `indices` with those of a tensor of
// `shape`: the same index tuple, but with the element's value on `axis`.
class ElementPairs {
 public:
  ElementPairs(const Shape& indices, const Shape& shape, size_t axis);

  // A row is along the last axis of `indices`.
  int64_t rows() const { return rows_; }
  int64_t row_size() const { return row_size_; }
  // Calls visit(i, offset) for the elements of rows [begin, end), in order: element i of `indices`
  // belongs to the element at `offset` of the tensor.  False, at once, for an index out of range,
  // which ReadIndices then reports.
  template <typename Index, typename Pair>
  bool Visit(const Index* indices, int64_t begin, int64_t end, const Pair& visit) const {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t start = StartOf(row), first = row * row_size_;
      for (int64_t j = 0; j < row_size_; ++j) {
        int64_t value = static_cast<int64_t>(indices[first + j]);
        value += value < 0 ? dim_ : 0;
        if (static_cast<uint64_t>(value) >= static_cast<uint64_t>(dim_)) return false;
        visit(first + j, start + j * step_ + value * axis_stride_);
      }
    }
    return true;
  }

 private:
  // Where the row starts in the tensor, beside the indices.
  int64_t StartOf(int64_t row) const;

  std::vector<int64_t> sizes_;    // the axes of `indices` before the last
  std::vector<int64_t> strides_;  // of the tensor on those, 0 on `axis`
  int64_t rows_ = 1, row_size_ = 1;
  int64_t step_;  // from an element of the row to the next, beside the index
  int64_t axis_stride_, dim_;
};

// Slices that the tuples along the last axis of `indices` name: where each starts in `shape`, and
// how many elements each has.  The first `batch_dims` axes of both are the same.
struct TupleOffsets {
  std::vector<int64_t> offsets;
  int64_t slice = 1;
};
Result<TupleOffsets> ReadTuples(const KernelContext& ctx, const HostTensor& indices,
                                const Shape& shape, size_t batch_dims);

}  // namespace ge::kernels
