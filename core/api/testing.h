#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "api/export.h"
#include "base/status.h"

// Windows into single stages, for the project's own tests (ge._testing).
namespace ge {

// One tensor's claim on feature-map memory.  Steps count tasks in execution order.
struct Claim {
  uint32_t first_step;           // task that writes it
  uint32_t last_step;            // last task that reads it, inclusive; >= first_step
  uint64_t bytes;                // not yet aligned
  uint64_t offset = UINT64_MAX;  // bytes from the arena start; set by PlanClaims
};

// An input or output of a node that a test runs; dtype and format by the names that users write.
struct TestTensor {
  bool present = true;  // false: an optional input left out
  bool constant = false;
  std::string dtype;
  std::string format = "ND";
  std::vector<int64_t> shape;
  std::string bytes;
};

namespace api {

// Imports an ONNX file and runs the named passes on it, in this order.  `json` gets the
// graph:
// {"nodes": [{"name", "type", "inputs": ["producer:0"], "outputs": [{"dtype", "shape"}], "attrs"}],
//  "outputs": [{"name", "dtype", "shape", "value": null or the flat elements of a constant}],
//  "warnings": [text]}; unknown dims are -1, an unknown rank is [-2].
GE_API Status ImportAsJson(const std::string& model_path, bool allow_unknown_inputs,
                           const std::vector<std::string>& passes, std::string* json);

// Builds the graph that `graph` describes in the same form and runs the named passes on it.
// dtypes have the short names of tables/ops.json ("f32"); a Const has its elements in "value";
// "outputs" of the graph are ["producer:0"]; outputs of a node need not be given when its shape
// rule sets them.  `json` gets the resulting graph and, for each pass, in how many
// "places" it rewrote something, and whether it "changed" anything.
GE_API Status RunPassesAsJson(const std::string& graph, const std::vector<std::string>& passes,
                              std::string* json);

// All passes in the order they run: [{"name", "atc_name", "kind": number of the PassKind}].
GE_API std::string PassesAsJson();

// Infers the shapes of one node, {"type", "attrs", "outputs": how many}, and runs its kernel
// `repeat` times on `threads` threads: the prepared one, or with `plain` that of run_host.  `facts`
// gets {"library": its note, "bytes": packed by the prepared kernel, "nanoseconds": of the fastest
// run}.
GE_API Status RunNode(const std::string& node, const std::vector<TestTensor>& inputs, bool plain,
                      int threads, int repeat, std::vector<TestTensor>* outputs,
                      std::string* facts);

// Runs a kernel file (docs/kernel-format.md) after the passes; dtypes of `inputs` are not looked
// at.
GE_API Status RunKernel(const std::string& kernel, const std::vector<TestTensor>& inputs,
                        std::vector<TestTensor>* outputs);

// Places the claims in one arena and returns its size in bytes.
GE_API uint64_t PlanClaims(std::span<Claim> claims, bool reuse);

}  // namespace api
}  // namespace ge
