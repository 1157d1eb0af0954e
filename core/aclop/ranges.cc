#include "aclop/ranges.h"

#include <algorithm>

#include "base/shape.h"

namespace ge::aclop {
namespace {

bool IsUnknownRank(const OpTensorDesc& desc) {
  return !desc.dims.empty() && desc.dims[0] == kUnknownRankMark;
}

// A dim that the caller leaves open, with its own limits if it has any.
bool AcceptsOpenDim(const DimRange& kept, const OpTensorDesc& desc, size_t axis) {
  if (axis >= desc.shape_range.size()) return true;
  const DimRange& asked = desc.shape_range[axis];
  if (asked.least < kept.least) return false;
  return kept.most < 0 || (asked.most >= 0 && asked.most <= kept.most);
}

bool Accepts(const TensorRange& range, const OpTensorDesc& desc) {
  if (range.any_rank) return true;
  if (IsUnknownRank(desc) || desc.dims.size() != range.dims.size()) return false;
  for (size_t axis = 0; axis < range.dims.size(); ++axis) {
    const DimRange& kept = range.dims[axis];
    const int64_t dim = desc.dims[axis];
    if (dim < 0) {
      if (!AcceptsOpenDim(kept, desc, axis)) return false;
    } else if (dim < kept.least || (kept.most >= 0 && dim > kept.most)) {
      return false;
    }
  }
  return true;
}

}  // namespace

TensorRange RangeOf(const OpTensorDesc& desc) {
  TensorRange range;
  range.any_rank = IsUnknownRank(desc);
  if (range.any_rank) return range;
  for (size_t axis = 0; axis < desc.dims.size(); ++axis) {
    const int64_t dim = desc.dims[axis];
    range.dims.push_back(axis < desc.shape_range.size() ? desc.shape_range[axis]
                                                        : DimRange{dim, dim});
  }
  return range;
}

bool Accepts(const RangeRecord& record, const OpRequest& request) {
  const size_t inputs = request.inputs.size();
  if (record.size() != inputs + request.outputs.size()) return false;
  for (size_t i = 0; i < record.size(); ++i) {
    const OpTensorDesc& desc = i < inputs ? *request.inputs[i] : *request.outputs[i - inputs];
    if (!Accepts(record[i], desc)) return false;
  }
  return true;
}

bool HasUnknownDims(const OpTensorDesc& desc) {
  return std::any_of(desc.dims.begin(), desc.dims.end(), [](int64_t dim) { return dim < 0; });
}

}  // namespace ge::aclop
