#pragma once

#include <atomic>
#include <string>

#include "base/status.h"
#include "om/model_def.h"

namespace ge::om {

// Writes an OM file of one block: MODEL_INOUT_INFO, MODEL_DEF, WEIGHTS_DATA, TASK_INFO.  The file
// appears at `path` complete and checked, or not at all.  `cancelled` may be null.
Status WriteModel(const std::string& path, const ModelLayout& model, const ModelFacts& facts,
                  const std::atomic<bool>* cancelled);

}  // namespace ge::om
