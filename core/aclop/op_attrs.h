#pragma once

#include <string>

#include "aclop/key.h"
#include "base/status.h"
#include "ir/graph.h"
#include "tables/table.h"

namespace ge::aclop {

// A list of data types is one of numbers.
Attr ToIrAttr(const OpAttr& value);

// The attributes of the definition as the IR has them.  Those of the prototype must have its kinds
// and be there when they are required; others pass through.  All faults at once, about `node_name`.
Status ConvertAttrs(const OpDefinition& definition, const std::string& node_name, AttrMap* attrs);

// The value of an attribute of a prototype that is not given.
Attr DefaultAttr(Table row);
// Fails where an attribute of a node has another value than its default, which is what the kernel
// of its type is for.
Status CheckDefaults(const Node& node);

}  // namespace ge::aclop
