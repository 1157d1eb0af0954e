#pragma once

#include <vector>

#include "api/precision.h"
#include "base/status.h"

namespace ge {

// What a user should know of `report`: results at risk, and constants that were clipped or of which
// a noticeable part became 0.
std::vector<Problem> PrecisionWarnings(const PrecisionReport& report);

}  // namespace ge
