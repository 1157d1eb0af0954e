#pragma once

#include <optional>
#include <string_view>

#include "ir/graph.h"

namespace ge {

// Attribute of a node, or the default of its prototype; nullopt when it has neither.
std::optional<Attr> AttrOrDefault(const Node& node, std::string_view name);

}  // namespace ge
