#include "backend/host/release_activations.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "ops/held_activation.h"

namespace ge::host {
namespace {

// Activations by the nodes that held them.
using Released = std::unordered_map<const Node*, Node*>;

bool Holds(const Node& node) {
  return node.attrs().Find(kHeldActivation) != nullptr;
}

Status ReleaseIn(Graph& graph, Released& released) {
  bool changed = false;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& node = *graph.nodes()[i];
    for (const auto& subgraph : node.subgraphs()) GE_TRY(ReleaseIn(*subgraph, released));
    if (!Holds(node)) continue;
    Node* activation = Release(node);
    if (activation == nullptr) {
      return Error(ErrorId::kE10041,
                   {{"parameter", "--om"},
                    {"value", ""},
                    {"reason", "node [" + node.name() + "] of type " + node.type() +
                                   " holds an activation that is not known to this version"}});
    }
    released.emplace(&node, activation);
    changed = true;
  }
  if (changed) graph.SortTopologically();
  return Status::Ok();
}

// Of `activation`, behind `task`, which computes what it reads.
ReadTask TaskOf(const Node& activation, int64_t id, const ReadTask& task) {
  ReadTask behind = task;
  behind.op_index = id;
  behind.kernel_name = activation.type();
  if (task.args.empty()) return behind;  // damaged, as is seen where the task is used
  behind.args.assign(activation.input_count() + 1, kNoAddress);
  behind.args.front() = behind.args.back() = task.args.back();
  return behind;
}

}  // namespace

bool HoldsActivations(const Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const auto& node) {
    return Holds(*node) || std::ranges::any_of(node->subgraphs(), [](const auto& subgraph) {
             return HoldsActivations(*subgraph);
           });
  });
}

Status ReleaseActivations(om::ReadGraphs& graphs, ReadTasks& list) {
  Released released;
  GE_TRY(ReleaseIn(*graphs.root, released));
  struct Added {
    Node* activation;
    int64_t id;
  };
  std::map<int64_t, Added> added;  // by the ids of the nodes that held them
  for (const auto& [id, node] : graphs.by_id) {
    const auto found = released.find(node);
    if (found != released.end()) added.emplace(id, Added{found->second, 0});
  }
  int64_t id = 0;
  for (auto& [held_by, row] : added) {
    do --id;
    while (graphs.by_id.contains(id));
    row.id = id;
    graphs.by_id.emplace(id, row.activation);
  }
  for (const auto& [node, activation] : released) {
    const auto offsets = graphs.offsets.find(node);
    if (offsets != graphs.offsets.end()) graphs.offsets.emplace(activation, offsets->second);
  }
  std::vector<ReadTask> tasks;
  tasks.reserve(list.tasks.size() + added.size());
  for (ReadTask& task : list.tasks) {
    const auto found = added.find(task.op_index);
    const bool computes = static_cast<TaskType>(task.type) == TaskType::kKernel;
    tasks.push_back(std::move(task));
    if (!computes || found == added.end()) continue;
    tasks.push_back(TaskOf(*found->second.activation, found->second.id, tasks.back()));
  }
  list.tasks = std::move(tasks);
  return Status::Ok();
}

}  // namespace ge::host
