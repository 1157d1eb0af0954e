#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string_view>

#include "api/progress.h"
#include "passes/pass.h"

namespace ge {

// The passes in the order they run.
std::span<const Pass> Pipeline();
// nullptr when there is no pass of that name.
const Pass* FindPass(std::string_view name);

// Runs one pass on the subgraphs of `graph`, innermost first, then on `graph`, and says in how many
// places it rewrote something.
Result<size_t> RunPass(const Pass& pass, Graph& graph);

// What goes on beside the passes.
struct PipelineWatch {
  // May be null; when it is set between two passes, the result is ErrorId::kInterrupted.
  const std::atomic<bool>* cancelled = nullptr;
  Progress& progress;  // counts passes
  // Called after each pass that ran, with the places that it rewrote.  May be empty.
  std::function<Status(const Pass& pass, size_t places)> after_pass;
};

bool IsSwitchedOn(const PassInfo& pass, const PassSwitches& switches);

// Runs those of the phases from `first` to `last` that `switches` leave on.
Status RunPipeline(Graph& graph, PassPhase first, PassPhase last, const PassSwitches& switches,
                   const PipelineWatch& watch);

}  // namespace ge
