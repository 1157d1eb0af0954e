#pragma once

#include "base/status.h"
#include "om/graph_reader.h"
#include "task/task_reader.h"

namespace ge::host {

// Whether nodes of `graph`, or of the graphs inside, hold activations (ops/held_activation.h).
bool HoldsActivations(const Graph& graph);

// Makes two operators of each such node, and two tasks of its task: the activation works in place,
// in the memory of the result.  E10041 when a node holds what it cannot.
Status ReleaseActivations(om::ReadGraphs& graphs, ReadTasks& list);

}  // namespace ge::host
