#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wire/json_writer.h"

namespace ge::om {

// Prints a serialized ge.proto.ModelDef, the first of its file, as --mode=1 does: fields of
// sizes, offsets and bytes hidden, the attribute dictionary resolved, operators that were fused
// together marked with the attribute group_op_name.  Returns why the bytes are no ModelDef.
std::optional<std::string> PrintModelDef(std::string_view model_def, wire::JsonWriter& json);

}  // namespace ge::om
