#pragma once

#include <vector>

#include "options/flag_table.h"

namespace ge {

// The flags with gears that have a value: dynamic_batch_size, dynamic_image_size, dynamic_dims.
std::vector<FlagField> GearFlags(const Options& options);

}  // namespace ge
