#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/export.h"
#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"

// Offline models: open, look at, run on the CPU.
namespace ge {

// An opened OM.  Its file stays mapped, weights are read from there.  Safe to use from several
// threads at once.
class Model;

// One input or output of a model.
struct ModelPort {
  std::string name;  // of the tensor in the source model
  DataType dtype = DataType::kUndefined;
  Shape shape;  // -1: known when the model runs
  // Per dim least and greatest size (-1: no limit); empty when every dim is fixed.
  std::vector<std::pair<int64_t, int64_t>> range;
};

struct ModelFactsRead {
  std::string path;
  std::string name;
  std::string soc_version;
  std::string version;       // of the program that wrote the model: "pyatc 0.1.0"
  std::string framework;     // of the source model
  std::string command_line;  // that made the model
  bool runnable = false;     // every task is one of the host engine
  // Why not, for a person: the kinds of NPU tasks and how many of each.  Empty when runnable.
  std::string not_runnable_reason;
  // What makes runs slower than they need be, for a log: a library that is not there.  Often empty.
  std::string slow_reason;
  uint64_t file_bytes = 0;
  uint64_t weight_bytes = 0;
  uint64_t arena_bytes = 0;  // of one run, where sizes are known
  bool has_unknown_sizes = false;
  uint64_t packed_bytes = 0;  // weights kept a second time in a faster layout
  std::vector<ModelPort> inputs, outputs;
};

// A constant of the model: bytes are those of the mapped file and live as long as the Model.
struct ModelWeight {
  std::string name;
  DataType dtype = DataType::kUndefined;
  Shape shape;
  std::span<const uint8_t> bytes;
};

// An array that the caller gives.  `name` empty: by position.
struct InputArray {
  std::string name;
  DataType dtype = DataType::kUndefined;
  Shape shape;
  const void* data = nullptr;  // dense, row-major; null only when there are no elements
};

// A result; dense, row-major.
struct OutputArray {
  DataType dtype = DataType::kUndefined;
  Shape shape;
  std::unique_ptr<uint8_t[]> data;
  uint64_t bytes = 0;
};

// Time of one node, or of several that ran together: their names and types joined by "+".
struct NodeTime {
  std::string name;
  std::string type;
  int64_t calls = 0;
  int64_t nanoseconds = 0;  // all calls
};

struct RunOptions {
  int threads = 0;  // 0: GE_NUM_THREADS, else the CPUs this process may use
  std::vector<NodeTime>* profile = nullptr;      // filled in execution order when given
  const std::atomic<bool>* cancelled = nullptr;  // polled between nodes
  // Overwrites memory that is not written yet or that no later node needs, so that a fault of the
  // memory plan shows.
  bool poison = false;
};

namespace api {

// Where memory does not suffice, OpenModel and RunModel throw std::bad_alloc.

// Opens an OM of any maker.  Fails with E10041 (the file is damaged) or E10055 (a kind of file that
// is not read); `path` stands in the message.
GE_API Result<std::shared_ptr<const Model>> OpenModel(const std::string& path);

GE_API const ModelFactsRead& FactsOf(const Model& model);
GE_API std::vector<ModelWeight> WeightsOf(const Model& model);
// A list of graphs, the root first:
// {"name", "nodes": [{"name", "type", "inputs": ["producer:0" or ""], "outputs": [{"dtype",
// "shape", "format", "offset"}], "attrs": {}, "sources": [name], "graphs": [name]}]}
GE_API std::string GraphsAsJson(const Model& model);

// Runs the model once.  Every input must be given once, by position or by name; all faults of the
// inputs are reported together.  A model that is not runnable fails with E10055.  Reentrant.
GE_API Status RunModel(const Model& model, std::span<const InputArray> inputs,
                       const RunOptions& options, std::vector<OutputArray>* outputs);

}  // namespace api
}  // namespace ge
