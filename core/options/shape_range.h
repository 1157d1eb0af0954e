#pragma once

#include <string_view>

#include "base/status.h"

namespace ge {

// Checks the text of --input_shape_range, all faults at once:
//
//   name ':' '[' d (',' d)* ']' (';' ...)*   or   '[' d (',' d)* ']' (',' '[' ... ']')*
//
// where d is n, low~high (high may be -1: unbounded) or -1.
Status CheckShapeRange(std::string_view text);

}  // namespace ge
