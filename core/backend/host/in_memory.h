#pragma once

#include <memory>
#include <string>

#include "om/graph_reader.h"
#include "task/layout.h"
#include "task/task_reader.h"

namespace ge::host {

// A model as its reader would have it, without a file in between: what BuildProgram takes.
struct InMemoryModel {
  om::ReadGraphs graphs;
  ReadTasks tasks;
  std::shared_ptr<const std::string> task_bytes;  // what the tasks are views into
};

// `layout` is that of `root`.
Result<InMemoryModel> ModelOf(std::unique_ptr<Graph> root, const ModelLayout& layout);

}  // namespace ge::host
