#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/recorded_kernel.h"
#include "task/layout.h"
#include "task/tasks.h"

namespace ge::om {

// What is stored about a model besides its graph.
struct ModelFacts {
  std::string name;
  std::string soc_version;
  std::string framework;
  std::string command_line;
  std::vector<std::pair<std::string, std::string>> recorded_options;
  bool clip_weights = true;           // that are narrowed while they are written
  bool inline_constants = false;      // constants have their bytes: for dumps
  AttrMap attrs;                      // more attributes of the model
  std::vector<StoredKernel> kernels;  // sorted by name
};

inline constexpr uint32_t kOmIrVersion = 2;
inline constexpr const char* kPlatformVersion = "1.11.z.0";

// Names of the outputs as users of the model see them: node:index:tensor.
std::vector<std::string> OutputNames(const Graph& root);

// The MODEL_DEF partition: ge.proto.ModelDef with every graph of the model.
std::string BuildModelDef(const ModelLayout& model, const TaskList& tasks, const ModelFacts& facts);

}  // namespace ge::om
