#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/parallel.h"
#include "kernels/heavy.h"

// The optional library libge_dnnl.so, which lies beside libge_core.so and runs convolutions and
// matrix products by oneDNN.  It needs nothing of libge_core; both see this header.
namespace ge {

// Where the tensors of a run are; null for those that are not there.
struct HeavyArgs {
  const void* x = nullptr;
  const void* filter = nullptr;
  const void* bias = nullptr;
  const void* addend = nullptr;  // of PostOp::kAdd
  void* y = nullptr;
};

// Tensors of a run that are not float32 where they lie: a primitive made for streams asks for
// pieces of them in float32, and hands pieces of y on, which may be changed then.  Called by all
// its threads.
class HeavyStream {
 public:
  enum Operand { kX, kFilter, kBias };  // of a product: the left factor, the right one, the bias

  virtual ~HeavyStream() = default;
  // Elements first, first + 1, ... as they lie in memory.
  virtual void Load(Operand operand, int64_t first, int64_t count, float* to) const = 0;
  virtual void Store(int64_t first, int64_t count, float* y) const = 0;
};

// A convolution or product with its code made and its constant filter packed.  Runs may overlap.
class HeavyPrimitive {
 public:
  virtual ~HeavyPrimitive() = default;
  // False when it cannot be run; y may then hold anything.
  virtual bool Run(int threads, const HeavyArgs& args) const = 0;
  // What it holds beside the model's own weights.
  virtual uint64_t bytes() const = 0;
};

// The same for a stream.
class StreamPrimitive {
 public:
  virtual ~StreamPrimitive() = default;
  // False when it cannot be run; then nothing or a part of y has been handed on.
  virtual bool Run(int threads, const HeavyStream& stream) const = 0;
  virtual uint64_t bytes() const = 0;
};

// What the library offers.  A maker returns nullptr for what the plain kernels do as well.
struct HeavyTable {
  static constexpr uint32_t kVersion = 3;  // of this header, as both sides were built with it
  uint32_t version = kVersion;
  const char* name = "";  // "oneDNN 2.6.3"
  // `filter` is null unless it is constant.
  std::unique_ptr<const HeavyPrimitive> (*conv)(const ConvProblem& problem, const void* filter,
                                                std::span<const PostOp> post_ops);
  std::unique_ptr<const HeavyPrimitive> (*matmul)(const MatMulProblem& problem);
  // The same for streams.  Dtypes of the problems do not count; filter and bias are float32, and
  // the primitive keeps what it needs of them.
  std::unique_ptr<const StreamPrimitive> (*stream_conv)(const ConvProblem& problem,
                                                        const float* filter, const float* bias);
  std::unique_ptr<const StreamPrimitive> (*stream_matmul)(const MatMulProblem& problem);
  // Runs our own pieces of work on the library's threads.
  RunPiecesFn run_pieces;
  // Convolutions are fastest when the channels of x and y are last in memory.
  bool prefers_channels_last = false;
};

// nullptr when the library is not there or does not load.  The first call looks for it.
const HeavyTable* HeavyLibrary();
// One line for a log: which library runs heavy operators, or why none does.
const std::string& HeavyLibraryNote();

}  // namespace ge

// The one function that the library exports; false when it was built for another version.
extern "C" bool ge_dnnl_register(ge::HeavyTable* table);
