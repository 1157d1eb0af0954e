#pragma once

#include "frontend/onnx/window_attrs.h"

namespace ge::onnx {

// MaxPool with output Indices, which count along the whole flattened tensor.
Status ImportMaxPoolWithIndices(OnnxOp& op, SlidingWindows windows, bool ceil_mode);

}  // namespace ge::onnx
