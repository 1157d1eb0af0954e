#pragma once

#include <string_view>
#include <vector>

#include "api/compile.h"
#include "base/status.h"

namespace ge {

// How the numbers of --input_shape are meant: `kGears` when a flag with gears goes with it.
enum class ShapeUse { kPlain, kGears };

struct InputShapes {
  std::vector<NamedShape> shapes;  // complete when there are no faults; the dim of a range is -1
  bool is_dynamic = false;         // a -1 or a range is among the dims
  Status faults;                   // every fault of the text, from left to right
};

// Reads the text of --input_shape:
//
//   item (';' item)* [';']      item = name ':' [dim (',' dim)*]      dim = n | -1 | n '~' n
//
// The last ':' of an item ends its name.  No dims mean a scalar.  Blanks around names and dims are
// dropped.  Without any ':' in the text, items that hold -1 or ranges stand for the inputs in order
// and get empty names.
InputShapes ParseInputShape(std::string_view text, ShapeUse use);

}  // namespace ge
