#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "api/hook_paths.h"
#include "api/passes.h"
#include "base/status.h"
#include "ir/graph.h"
#include "report/record.h"

// Graph passes in Python: ge.passes._bridge has the other side.
namespace ge {

class GraphPasses {
 public:
  // Imports the files of paths.passes.  Touches nothing of Python when there are none and the
  // program has no passes of its own.
  static Result<GraphPasses> Load(const HookPaths& paths);

  bool Has(std::string_view stage) const;

  struct Compile {
    const PassSwitches& switches;
    // GE's names of options and their values: what a pass may ask for.
    const std::vector<std::pair<std::string, std::string>>& options;
    const std::atomic<bool>* cancelled;  // may be null
    CompileRecord& record;
    std::vector<Problem>* warnings;
  };
  // Runs those of a stage that are switched on, in the order in which they were registered, each on
  // the graph and then on its subgraphs.  After each the graph is checked and shapes are inferred.
  Status Run(std::string_view stage, Graph& graph, const Compile& compile) const;

 private:
  struct Pass {
    std::string name, stage;
    std::string file;  // empty: registered by the program
  };

  Status LoadFile(const std::string& file);
  Status RunPass(const Pass& pass, Graph& graph, const Compile& compile) const;

  std::vector<Pass> passes_;
};

}  // namespace ge
