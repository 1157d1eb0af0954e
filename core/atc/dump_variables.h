#pragma once

#include "api/dump.h"
#include "base/status.h"

namespace ge {

// What DUMP_GE_GRAPH, DUMP_GRAPH_LEVEL, DUMP_GRAPH_FORMAT and DUMP_GRAPH_PATH ask for.  `faults`
// gets all that is wrong with them.
DumpRequest ReadDumpVariables(Status* faults);

}  // namespace ge
