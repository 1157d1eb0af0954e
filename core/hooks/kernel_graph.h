#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "ir/graph.h"

namespace ge::hooks {

// What an operator written in Python recorded: docs/kernel-format.md.
struct Kernel {
  std::string name;
  std::unique_ptr<Graph> graph;  // Data nodes are the inputs, NetOutput has the outputs
};

// Reads a kernel file.  Shapes are inferred and must be those that were recorded.  E10041 when the
// text is no kernel, with `value` as the name of it.
Result<Kernel> ReadKernel(std::string_view text, const std::string& value);

// The shape with which a kernel takes a tensor of shape `given`, whose input was recorded as
// `recorded`: the elements are the same.  A tensor of the recorded rank keeps its shape, sizes that
// are fixed must agree; one of another rank is seen as the recorded shape when that leaves at most
// one size open, else it gets sizes of 1 in front.  E10041 when it does not fit.
Result<Shape> ShapeForKernel(const Shape& recorded, const Shape& given, const std::string& value);

}  // namespace ge::hooks
