#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "api/passes.h"
#include "api/precision.h"
#include "api/progress.h"
#include "api/report.h"
#include "ir/graph.h"
#include "om/writer.h"
#include "task/layout.h"

namespace ge {

// A pass that ran, and in how many places it rewrote something.
struct PassRun {
  PassInfo pass;
  size_t places = 0;
  size_t matches = 0;  // places that it wanted to rewrite
};

struct CompileRecord {
  Progress progress;
  std::vector<PassRun> passes;
  std::deque<std::string> pass_names;  // of passes in Python, which PassInfo refers to
  // Once the model is written:
  std::unique_ptr<Graph> graph;
  ModelLayout layout;
  PrecisionReport precision;
  om::WrittenModel written;
};

// Lets go of the bytes of all constants, which no report shows.
void ForgetConstants(Graph& graph);

}  // namespace ge
