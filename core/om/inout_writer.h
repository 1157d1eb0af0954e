#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"

namespace ge::om {

// The MODEL_INOUT_INFO partition: inputs by index, outputs by the names users see.
std::string BuildInoutInfo(const Graph& root, const std::vector<std::string>& output_names);

}  // namespace ge::om
