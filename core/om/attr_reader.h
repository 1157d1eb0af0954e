#pragma once

#include <optional>
#include <string_view>

#include "ir/attr.h"

namespace ge::om {

// The value of a serialized ge.proto.AttrDef: what WriteAttr wrote.  nullopt for kinds that the IR
// has no use for (tensors, graphs, functions).  Throws protozero::exception.
std::optional<Attr> ReadAttrValue(std::string_view attr_def);

}  // namespace ge::om
