#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "api/compile.h"
#include "api/progress.h"
#include "ir/graph.h"

namespace ge::hooks {
class Operators;
}

namespace ge::onnx {

struct ImportOptions {
  std::string graph_name;
  Format input_format = Format::kNCHW;
  std::vector<NamedShape> input_shapes;
  std::vector<OutNode> out_nodes;
  std::vector<std::string> fp16_inputs;  // of --input_fp16_nodes; here only their names are checked
  // Leave unknown dims of the inputs unknown instead of asking for --input_shape.
  bool allow_unknown_inputs = false;
  // Fold results of floats.  Integers, bools and up to 8 floats, which shapes may depend on, are
  // folded anyway.
  bool fold_floats = true;
  // But for the Cast of 8-bit integers, which FuseQuantizedProduct wants as they are.
  bool keep_bytes = false;
  // Import only the taken branch of an If whose condition is constant.
  bool drop_dead_branches = true;
  const std::atomic<bool>* cancelled = nullptr;
  hooks::Operators* operators = nullptr;  // of the user, in Python; may be null
  Progress* progress = nullptr;           // counts the nodes of the main graph; may be null
};

struct ImportResult {
  std::unique_ptr<ge::Graph> graph;
  std::vector<Problem> warnings;
};

// Reads the ONNX model `file` and builds a GE graph with shapes inferred and constants folded.
// Only what the outputs need is imported.  Everything that cannot be compiled is reported at
// once, grouped by operator.
Result<ImportResult> Import(std::shared_ptr<const MappedFile> file, const ImportOptions& options);

}  // namespace ge::onnx
