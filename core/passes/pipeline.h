#pragma once

#include <atomic>
#include <span>
#include <string_view>

#include "passes/pass.h"

namespace ge {

// The passes in the order they run.
std::span<const Pass> Pipeline();
// nullptr when there is no pass of that name.
const Pass* FindPass(std::string_view name);

// Runs one pass on the subgraphs of `graph`, innermost first, then on `graph`.
Result<bool> RunPass(const Pass& pass, Graph& graph);

// Runs those that `switches` leave on.  `cancelled` may be null; when it is set between two passes,
// the result is ErrorId::kInterrupted.
Status RunPipeline(Graph& graph, const PassSwitches& switches, const std::atomic<bool>* cancelled);

}  // namespace ge
