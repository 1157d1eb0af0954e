#pragma once

#include <protozero/pbf_writer.hpp>
#include <string_view>

#include "ir/attr.h"

namespace ge::om {

// Adds one entry of a map<string, AttrDef> at `tag`.  Members of the oneof are written even when
// they are zero; an empty list keeps its value type.
void WriteAttr(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, std::string_view name,
               const Attr& value);

}  // namespace ge::om
