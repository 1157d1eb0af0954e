#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "task/tasks.h"

namespace ge {

// A domi.TaskDef, as far as host models use it.
struct ReadTask {
  uint32_t type = 0;  // TaskType
  int64_t op_index = -1;
  // kKernel
  uint32_t kernel_type = 0;
  std::string_view kernel_name;
  std::vector<uint64_t> args;
  // kMemcpyAsync
  uint64_t dst = 0, src = 0, bytes = 0;
  // kLabelSet, kLabelGoto, kLabelSwitchByIndex (number of targets)
  uint32_t label = 0;
};

struct ReadTasks {
  std::vector<ReadTask> tasks;
  uint64_t arena_bytes = 0;
  uint64_t weight_bytes = 0;
};

// Reads TASK_INFO.  E10041 when the bytes are no task list.
Result<ReadTasks> ReadTaskInfo(std::string_view bytes);

// "15 kernels of the AI core, 2 event records": what a list holds that the host engine does not
// run; empty when it runs everything.
std::string ForeignTasks(const ReadTasks& list);

}  // namespace ge
