#include "backend/host/in_memory.h"

#include "task/tasks.h"

namespace ge::host {

Result<InMemoryModel> ModelOf(std::unique_ptr<Graph> root, const ModelLayout& layout) {
  InMemoryModel model;
  for (const GraphLayout& part : layout.graphs) {
    for (const auto& node : part.graph->nodes()) {
      model.graphs.by_id.emplace(part.nodes[node->index()].id, node.get());
      const auto offsets = part.plan->OffsetsOf(*node);
      if (node->is_const() || offsets.empty()) continue;
      model.graphs.offsets.emplace(node.get(),
                                   std::vector<int64_t>(offsets.begin(), offsets.end()));
    }
  }
  model.graphs.root = std::move(root);
  model.task_bytes = std::make_shared<const std::string>(BuildTasks(layout).bytes);
  GE_ASSIGN(model.tasks, ReadTaskInfo(*model.task_bytes));
  return model;
}

}  // namespace ge::host
