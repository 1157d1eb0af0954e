#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "api/dump.h"
#include "api/export.h"
#include "api/hook_paths.h"
#include "api/passes.h"
#include "api/precision.h"
#include "api/report.h"
#include "base/format.h"
#include "base/shape.h"
#include "base/status.h"

namespace ge {

// A shape that the user gave for an input of the model, by name; an empty name: by position.
struct NamedShape {
  std::string name;
  Shape shape;
  // Least and greatest size per dim (-1: no limit); empty when every dim is fixed.
  std::vector<std::pair<int64_t, int64_t>> range;
};

// One wanted output: output `index` of a node, or (tensor set) a tensor of the source model.
struct OutNode {
  std::string node;
  int64_t index = 0;
  std::string tensor;
};

// In what order the nodes of a graph run, beside producers before readers.
enum class NodeOrder : uint8_t {
  kLeastMemory,        // that of the source, or another that needs less memory
  kBreadthFirst,       // those ready first run first
  kDepthFirst,         // those ready last run first
  kReverseDepthFirst,  // from the outputs back, what each node reads just before it
  kStable,             // that of the source
};

// Everything a compile depends on.  Paths are used as they are; nothing is read from the
// environment.
struct CompileRequest {
  std::string model_path;
  // What it has open is read instead; tensors outside of the model are still looked for beside
  // model_path.
  int model_descriptor = -1;
  std::string output_path;  // of the OM, suffix included
  std::string model_name;   // stored in the OM
  std::string soc_version;  // as the user gave it, already checked
  std::string framework = "Onnx";
  std::string command_line;  // canonical form, stored in the OM
  Format input_format = Format::kNCHW;
  std::vector<NamedShape> input_shapes;
  std::vector<OutNode> out_nodes;  // empty: the outputs the model declares
  bool reuse_memory = true;
  PassSwitches passes;
  PrecisionRequest precision;
  NodeOrder node_order = NodeOrder::kLeastMemory;
  DumpRequest dump;
  HookPaths hooks;
  OperatorOptions operators;
  // Options that are stored in the model and have no other effect: GE option name and value.
  std::vector<std::pair<std::string, std::string>> recorded_options;
  // Set by a signal handler; polled at least every 100 ms of work.  May be null.
  const std::atomic<bool>* cancelled = nullptr;
  // Notes what the compile does, one that fails too.  Its progress may be looked at meanwhile.
  std::shared_ptr<CompileRecord> record = api::NewRecord();
};

struct CompileResult {
  std::string om_path;
  std::vector<Problem> warnings;
  size_t lowered_nodes = 0;  // that compute in a narrower type than in the network
};

namespace api {

// Compiles an ONNX model file to an OM file.  On failure nothing is left at or beside
// request.output_path, and the Status holds every problem of the first stage that found one.  A
// cancelled compile fails with ErrorId::kInterrupted.  Reentrant.
GE_API Result<CompileResult> Compile(const CompileRequest& request);

}  // namespace api
}  // namespace ge
