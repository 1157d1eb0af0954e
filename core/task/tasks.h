#pragma once

#include <string>
#include <vector>

#include "task/layout.h"

namespace ge {

// Numbers of domi.TaskDef.type that host models use.
enum class TaskType : uint32_t {
  kKernel = 0,
  kLabelSet = 9,
  kMemcpyAsync = 13,
  kEndGraph = 19,
  kLabelSwitchByIndex = 23,
  kLabelGoto = 24,
};

// domi.KernelContext.kernel_type of a task that the host engine runs.
inline constexpr uint32_t kHostCpuKernel = 8;

// Logical addresses: the arena starts at kArenaAddress, the weights right behind it.  An argument
// of kNoAddress is an input left out, or a tensor whose place is found at run time.
inline constexpr uint64_t kArenaAddress = 0x80000000;
inline constexpr uint64_t kNoAddress = UINT64_MAX;

struct TaskList {
  std::string bytes;                  // domi.ModelTaskDef
  std::vector<std::string> op_names;  // one per task
};

// One kernel task per node that computes something, in execution order: its arguments are the
// addresses of inputs, outputs and workspace (u64 each), its kernel_name is the GE operator type.
// Constants, inputs and views need no task.  An If becomes: switch by index on its condition
// (0 else, 1 then), and per branch a label, its tasks, copies to the outputs of the If, and a jump
// to a last label.  A While becomes: copies of its inputs to its outputs, a label, the tasks of
// cond, a switch on its result (0 the last label, 1 the next), a label, the tasks of body, copies
// of its results to the outputs (but for states that stay as they are), a jump to the first label,
// and a last label.  END_GRAPH is last.
TaskList BuildTasks(const ModelLayout& model);

}  // namespace ge
