#pragma once

#include <string>

#include "aclop/key.h"
#include "base/status.h"
#include "ir/attr.h"

namespace ge::aclop {

// A list of data types is one of numbers.
Attr ToIrAttr(const OpAttr& value);

// The attributes of the definition as the IR has them.  Those of the prototype must have its kinds
// and be there when they are required; others pass through.  All faults at once, about `node_name`.
Status ConvertAttrs(const OpDefinition& definition, const std::string& node_name, AttrMap* attrs);

}  // namespace ge::aclop
