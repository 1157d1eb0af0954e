#pragma once

#include <span>

#include "ir/graph.h"

namespace ge::hooks {

// An operator may record its kernel for other shapes than its tensors have, with axes joined: what
// it gives back then has the shape of the input that was recorded like it.  `recorded` are the
// inputs of the kernel, `given` the shapes of the tensors, `output` what was recorded for a result
// and `result` what it is.
Shape ResultShape(std::span<const TensorDesc> recorded, std::span<const Shape> given,
                  const Shape& output, const Shape& result);

// Whether the kernel takes and gives the tensors of the node: E14001 with all that differs.  An
// output of the node whose dtype is kUndefined, or whose rank is unknown, may be anything there.
Status CheckKernel(const Graph& kernel, const Node& node);

}  // namespace ge::hooks
