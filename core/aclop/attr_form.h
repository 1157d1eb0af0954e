#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"

namespace ge::aclop {

// Operators come in two forms: ReduceSum reads its axes, ReduceSumD has them as an attribute.  The
// host engine has kernels for the first.

// The type that stands for `type` when that has no kernel: itself without the D, if all its inputs
// are inputs or integer attributes of `type`.  Empty: there is none.
std::string InputForm(const std::string& type);

// Moves the attributes that are inputs of the other form to constants, in the order of its
// prototype.  `values` are the inputs of the form `type`.
void UseInputForm(const std::string& type, const std::string& input_form, Graph& graph,
                  std::vector<Value>& values, AttrMap& attrs);

}  // namespace ge::aclop
