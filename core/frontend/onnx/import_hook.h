#pragma once

#include <string>

#include "frontend/onnx/importer.h"
#include "frontend/onnx/model.h"
#include "frontend/onnx/onnx_op.h"
#include "hooks/operators.h"

namespace ge::onnx {

// The GE type that a node becomes by ge.hooks or an operator store; empty when it is imported as
// ever.
std::string HookTypeOf(const ImportOptions& options, const Node& node);
Status ImportByHook(OnnxOp& op, const std::string& type);

}  // namespace ge::onnx
