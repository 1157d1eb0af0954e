#pragma once

#include <span>
#include <vector>

#include "aclop/key.h"

namespace ge::aclop {

// The sizes that one tensor of a compiled operator may have.
struct TensorRange {
  bool any_rank = false;
  std::vector<DimRange> dims;  // least -1: any size
  bool operator==(const TensorRange&) const = default;
};

// Of inputs, then outputs.
using RangeRecord = std::vector<TensorRange>;

// The ranges of the description; a dim without one has its own size, any size where it is -1.
TensorRange RangeOf(const OpTensorDesc& desc);
// Whether all that `request` may be is within `record`.
bool Accepts(const RangeRecord& record, const OpRequest& request);

// Some dim of the tensor is not known.
bool HasUnknownDims(const OpTensorDesc& desc);

}  // namespace ge::aclop
