#pragma once

#include <cstdint>
#include <vector>

#include "backend/host/program.h"

namespace ge::host {

struct ArenaRange {
  uint64_t begin, end;
};

// Per step the parts of the arena that are not read any more once it has run, by the order of the
// steps and the places that they state.
std::vector<std::vector<ArenaRange>> DeadRanges(const Program& program);

}  // namespace ge::host
