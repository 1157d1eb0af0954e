#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/precision.h"
#include "base/status.h"
#include "om/model_def.h"

namespace ge::om {

// Writes an OM file of one block: MODEL_INOUT_INFO, MODEL_DEF, WEIGHTS_DATA, TASK_INFO.  The file
// appears at `path` complete and checked, or not at all.  `cancelled` may be null.  Gives the
// constants that lost something when they were converted on the way (Node::ConvertWhenWritten).
Result<std::vector<NarrowedConst>> WriteModel(const std::string& path, const ModelLayout& model,
                                              const ModelFacts& facts,
                                              const std::atomic<bool>* cancelled);

}  // namespace ge::om
