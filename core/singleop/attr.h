#pragma once

#include "api/aclop_desc.h"
#include "singleop/spot.h"

namespace ge::singleop {

// Adds an attribute of the file to those of its operator.
void ReadAttr(const Spot& spot, OpAttrs& attrs, Notes& notes);

}  // namespace ge::singleop
