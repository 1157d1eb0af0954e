#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "hooks/operator_info.h"
#include "ir/graph.h"

namespace ge::hooks {

// "Ascend310P" of "Ascend310P3".
std::string FamilyOf(std::string_view soc_version);

// {"dtype", "shape", "format", "ori_format"}.
nlohmann::json TensorJson(const TensorDesc& desc);
// Sets the outputs of a node to [{"dtype", "shape"}]; E14001 when they are no such rows.
Status SetOutputs(const nlohmann::json& rows, Node& node);

// What ge._operators.build takes of an operator, but for the name of its node.  With `for_shapes`
// the outputs of the node are not known yet, and floats are those of the combination that the
// operator would be given.
Result<std::string> OperatorRequest(const OperatorInfo& info, const Node& node,
                                    const std::string& impl_mode, bool for_shapes);

// The dtype that output `index` has before precision is chosen: `recorded`, but float32 where only
// a narrower kernel exists for inputs of float32.
DataType SourceDtype(const OperatorInfo& info, const Node& node, size_t index, DataType recorded);

}  // namespace ge::hooks
