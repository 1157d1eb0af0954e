#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"

namespace ge::aclop {

// Operators come in several forms: ReduceSum reads its axes, ReduceSumD has them as an attribute;
// MatMulV2 is MatMul with more that may be left out.  The host engine has kernels for one of them.

// The type that stands for `type` when that has no kernel.  It is the later version, if that has
// all of `type` and more only where it is optional; or the type without the D, if all its inputs
// are inputs or integer attributes of `type`.  Empty: there is none.
std::string KernelForm(const std::string& type);

// Makes inputs and attributes those of the other form, in the order of its prototype: attributes
// that are inputs there become constants.  `values` are the inputs of `type`.
void UseKernelForm(const std::string& type, const std::string& form, Graph& graph,
                   std::vector<Value>& values, AttrMap& attrs);

}  // namespace ge::aclop
