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

// For every element of `indices` the position in `shape` (row-major) that has the same index
// tuple, but with the element's value on `axis`.
Result<std::vector<int64_t>> ElementOffsets(const KernelContext& ctx, const HostTensor& indices,
                                            const Shape& shape, size_t axis);

// Slices that the tuples along the last axis of `indices` name: where each starts in `shape`, and
// how many elements each has.  The first `batch_dims` axes of both are the same.
struct TupleOffsets {
  std::vector<int64_t> offsets;
  int64_t slice = 1;
};
Result<TupleOffsets> ReadTuples(const KernelContext& ctx, const HostTensor& indices,
                                const Shape& shape, size_t batch_dims);

}  // namespace ge::kernels
