#pragma once

#include <string_view>
#include <utility>

#include "dnnl_api.h"
#include "kernels/heavy.h"

// Convolutions as oneDNN describes them.
namespace ge::onednn {

// The axes that oneDNN is told: N, C, H, W when D has length 1 everywhere.
inline bool HasDepth(const ConvProblem& problem) {
  return problem.x.dims[2] != 1 || problem.y.dims[2] != 1 || problem.filter.dims[2] != 1;
}

inline Desc DescOf(const Tensor5& tensor, bool depth, Type type = Type::f32) {
  Dims dims(tensor.dims.begin(), tensor.dims.end()),
      steps(tensor.steps.begin(), tensor.steps.end());
  if (!depth) {
    dims.erase(dims.begin() + 2);
    steps.erase(steps.begin() + 2);
  }
  return Desc(dims, type, steps);
}

// [groups, outputs, inputs, kernel]; without groups when there is one.  The filter of a transposed
// convolution has its inputs first.
inline Desc FilterDesc(const ConvProblem& problem, bool depth, Type type = Type::f32) {
  const Tensor5& filter = problem.filter;
  Dims dims = {problem.groups, filter.dims[0] / problem.groups, filter.dims[1]};
  Dims steps = {filter.steps[0] * dims[1], filter.steps[0], filter.steps[1]};
  if (problem.transposed) {
    std::swap(dims[1], dims[2]);
    std::swap(steps[1], steps[2]);
  }
  for (size_t axis = depth ? 2 : 3; axis < 5; ++axis) {
    dims.push_back(filter.dims[axis]);
    steps.push_back(filter.steps[axis]);
  }
  if (problem.groups == 1) {
    dims.erase(dims.begin());
    steps.erase(steps.begin());
  }
  return Desc(dims, type, steps);
}

inline Desc AnyLayout(const Desc& desc) {
  return Desc(DimsOf(desc), TypeOf(desc), dnnl::memory::format_tag::any);
}

// N, D, H, W, C.
inline bool IsChannelsLast(const Tensor5& tensor) {
  const Tensor5 moved = {
      {tensor.dims[0], tensor.dims[2], tensor.dims[3], tensor.dims[4], tensor.dims[1]},
      {tensor.steps[0], tensor.steps[2], tensor.steps[3], tensor.steps[4], tensor.steps[1]}};
  return moved.is_dense() && !tensor.is_dense();
}

// Whether fewer than `count` numbers are multiplied.
inline bool HasFewerProducts(const ConvProblem& problem, int64_t count) {
  const Tensor5& narrow = problem.transposed ? problem.x : problem.y;
  const int64_t per_element = problem.filter.elements() / problem.filter.dims[0];
  return narrow.elements() < count / per_element;
}

// Whether the reorders and the calls take longer than the plain kernel.
inline bool IsSmall(const ConvProblem& problem) {
  return HasFewerProducts(problem, 5'000);
}

// Throws for code that is not used: products inside oneDNN sum in another order for every number of
// threads, and its plain loops are slow.
inline void RefuseSlowCode(std::string_view name) {
  if (name.find("gemm") != name.npos || name.starts_with("ref")) {
    throw dnnl::error(dnnl_unimplemented, "a convolution by products or plain loops");
  }
}

}  // namespace ge::onednn
