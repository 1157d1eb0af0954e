#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "kernels/heavy_prepare.h"
#include "kernels/stream.h"
#include "om/graph_reader.h"
#include "ops/op_impl.h"
#include "task/task_reader.h"

namespace ge::host {

class Nested;

// Where a tensor is while a model runs.
struct Operand {
  enum Kind : uint8_t {
    kNone,     // an input left out
    kArena,    // at `offset` of the arena, with the size of `desc`
    kWeights,  // at `weight`, in the mapped file
    kSlot,     // slot `offset`: memory is found while running
    kScratch,  // part of a fused step: buffer number `offset` of a tile
  };
  Kind kind = kNone;
  uint64_t offset = 0;
  const void* weight = nullptr;
  const TensorDesc* desc = nullptr;  // as compiled; null for kNone
  bool channels_last = false;        // axis 1 of `desc` is the last one in memory
};

struct Step {
  enum Kind : uint8_t {
    kKernel,
    kCopy,    // inputs[0] to outputs[0]
    kSwitch,  // goes to targets[value of inputs[0]]; beyond the last: the last
    kJump,    // goes to targets[0]
    kFused,   // `parts`, tile by tile
    kNested,  // `nested`: a kernel that an operator in Python recorded
    kConv,    // `formed` or `streamed`: parts[0], a convolution, with the pointwise parts behind it
  };
  Kind kind = kKernel;
  // Some shape is worked out when the step runs.
  bool dynamic = false;
  const Node* node = nullptr;
  const OpImpl* impl = nullptr;                    // kKernel
  std::unique_ptr<const AttrMap> attrs;            // instead of the node's; may be null
  std::unique_ptr<const PreparedKernel> prepared;  // kKernel; may be null
  std::vector<Operand> inputs, outputs;            // with parts: what these read and write outside
  std::vector<Step> parts;                         // kFused, kConv: kernels
  std::shared_ptr<const Nested> nested;            // kNested
  std::unique_ptr<const kernels::FormedConv> formed;      // kConv of float32
  std::unique_ptr<const kernels::StreamedConv> streamed;  // kConv of a 16-bit float
  size_t addend = SIZE_MAX;       // kConv: index in the tensors of all parts, if there is one
  std::vector<uint32_t> targets;  // indices of steps; steps.size() is the end
  std::vector<uint32_t> release;  // slots that no later step needs

  AttrReader attr_reader() const {
    return attrs != nullptr ? AttrReader(*node, *attrs) : AttrReader(*node);
  }
};

// A task list, checked and with everything looked up.  Never changes while models run.
struct Program {
  std::vector<Step> steps;
  uint32_t slots = 0;
  uint64_t arena_bytes = 0;
  uint64_t packed_bytes = 0;
  std::vector<Operand> inputs, outputs;  // of the model
  const Node* results = nullptr;         // NetOutput
  bool hides_nan = false;                // some step of kind kConv would, of its input
  // Copies of constants that are not aligned in the file, or bools other than 0 and 1.
  std::vector<std::unique_ptr<uint8_t[]>> copies;
  std::vector<std::unique_ptr<TensorDesc>> descs;  // of operands, where the graph has others
};

// `graphs` must outlive the program; shapes are inferred again and must be those of the file, so
// that kernels may trust them.  E10041 when the file contradicts itself.
Result<Program> BuildProgram(om::ReadGraphs& graphs, const ReadTasks& tasks, uint64_t weight_bytes);

}  // namespace ge::host
