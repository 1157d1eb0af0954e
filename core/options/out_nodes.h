#pragma once

#include <string_view>
#include <vector>

#include "api/compile.h"
#include "base/status.h"

namespace ge {

struct OutNodes {
  std::vector<OutNode> nodes;  // complete when there are no faults
  Status faults;
};

// Reads the text of --out_nodes: `node:index` items, or tensor names, joined with ';'; an
// empty text holds none.
OutNodes ParseOutNodes(std::string_view text);

}  // namespace ge
