#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "api/precision.h"
#include "api/progress.h"
#include "base/atomic_file.h"
#include "base/status.h"
#include "om/model_def.h"

namespace ge::om {

struct WrittenModel {
  std::string file_name;  // without its folder
  uint64_t file_bytes = 0;
  std::string model_def, task_info;  // the partitions
  // What lost something when it was converted on the way (Node::ConvertWhenWritten).
  std::vector<NarrowedConst> losses;
};

// Writes an OM file of one block: MODEL_INOUT_INFO, MODEL_DEF, WEIGHTS_DATA, TASK_INFO.  The file
// appears at `path` complete and checked, or not at all.  `cancelled` may be null; `progress`
// counts bytes.
Result<WrittenModel> WriteModel(const std::string& path, const ModelLayout& model,
                                const ModelFacts& facts, const std::atomic<bool>* cancelled,
                                Progress& progress);
// The same into a new file that the caller commits.
Result<WrittenModel> WriteModelTo(AtomicFile& file, const ModelLayout& model,
                                  const ModelFacts& facts, const std::atomic<bool>* cancelled,
                                  Progress& progress);

}  // namespace ge::om
