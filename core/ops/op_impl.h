#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"
#include "kernels/kernel_context.h"
#include "tables/table.h"

namespace ge {

// Row of core/tables/ops.json: inputs, outputs, attributes and defaults of an operator type.
// A null table when there is no such type.
Table OpRow(std::string_view type);

// Names of the inputs (outputs) that `node` has, "x0", "x1", ... for a dynamic port.
std::vector<std::string> InputNames(const Node& node);
std::vector<std::string> OutputNames(const Node& node);
std::vector<std::string> OutputNames(std::string_view type, size_t count);

// Attribute of a node, or the default of its prototype.
class AttrReader {
 public:
  explicit AttrReader(const Node& node) : AttrReader(node, node.attrs()) {}
  // With other attributes than the node has.
  AttrReader(const Node& node, const AttrMap& attrs) : node_(node), attrs_(attrs) {}
  const Node& node() const { return node_; }
  int64_t Int(std::string_view name) const;
  bool Bool(std::string_view name) const;
  float Float(std::string_view name) const;
  std::string Str(std::string_view name) const;
  std::vector<int64_t> Ints(std::string_view name) const;
  std::vector<float> Floats(std::string_view name) const;
  bool Has(std::string_view name) const { return attrs_.Find(name) != nullptr; }

 private:
  const Node& node_;
  const AttrMap& attrs_;
};

// The elements of a constant integer or bool value, in order; nullopt when it is not constant.
std::optional<std::vector<int64_t>> ConstInts(Value value);
// The elements of a constant of any number type.
std::optional<std::vector<double>> ConstDoubles(Value value);

// What a shape rule sees: the inputs of one node (in prototype order), its attributes, and the
// elements of inputs that are known.  It sets dtype and shape of every output.
class InferContext : public AttrReader {
 public:
  // While compiling: inputs, constants and outputs are those of the graph.
  explicit InferContext(Node& node) : AttrReader(node), target_(&node) {}
  // While running: everything is known.  `inputs` and `values` are parallel; an input left out has
  // no data.  `outputs` starts as the descs of the node.
  InferContext(const AttrReader& attrs, std::span<const TensorDesc> inputs,
               std::span<const HostTensor> values, std::span<TensorDesc> outputs)
      : AttrReader(attrs), inputs_(inputs), values_(values), outputs_(outputs) {}

  size_t input_count() const { return target_ ? target_->input_count() : inputs_.size(); }
  bool has_input(size_t i) const {
    return target_ ? static_cast<bool>(target_->input(i)) : i < values_.size() && values_[i];
  }
  // The input must be there: a required one, or has_input(i) was asked.
  const TensorDesc& input(size_t i) const {
    return target_ ? target_->input(i).desc() : inputs_[i];
  }
  const Shape& shape(size_t i) const { return input(i).shape; }
  DataType dtype(size_t i) const { return input(i).dtype; }

  // The elements of input i; nullopt when it is left out or not known.
  std::optional<std::vector<int64_t>> ConstInts(size_t i) const;
  std::optional<std::vector<double>> ConstDoubles(size_t i) const;

  size_t output_count() const { return target_ ? target_->output_count() : outputs_.size(); }
  const TensorDesc& output(size_t i) const { return target_ ? target_->output(i) : outputs_[i]; }
  void SetOutput(size_t i, DataType dtype, Shape shape);
  // Whether the rule asked for elements that are not known, so that it has to run again with them.
  bool asked_unknown() const { return asked_unknown_; }
  // An E14001 that names the node; `reason` says what was seen and what would be accepted,
  // without a full stop.
  Status Fail(std::string reason) const;

 private:
  Node* target_ = nullptr;  // while compiling
  mutable bool asked_unknown_ = false;
  std::span<const TensorDesc> inputs_;
  std::span<const HostTensor> values_;
  std::span<TensorDesc> outputs_;
};

using InferFn = Status (*)(InferContext&);
using KernelFn = Status (*)(KernelContext&);
using PrepareFn = Result<std::unique_ptr<const PreparedKernel>> (*)(const KernelContext&);

// How the elements of the result depend on those of the inputs, so that an operator may be run
// piece by piece.
enum class Pointwise : uint8_t {
  kNo,
  kBroadcast,  // element by element; all inputs broadcast to the result
  kChannels,   // so is input 0; the others are vectors along axis 1
  kByNumbers,  // so is input 0, where the others have one element each
};

// The dtypes that a kernel has code for: of input 0 and of the results.
enum class DtypeSet : uint8_t {
  kNumbers,  // integers, bool, and floats of 16 bits and more
  kFloats,   // of these the floats
  kNarrow,   // numbers, and those of kernels/float8.h
  kBytes,    // all whose elements are whole bytes; it moves them
  kAny,      // its shape rule takes no others
};

// What an operator type does.  A prototype row without one is "known but not built yet".
struct OpImpl {
  std::string_view type;
  InferFn infer = nullptr;
  // Computes the outputs; the shape rule has set what it knows of their shapes.  Not needed for a
  // view.
  KernelFn run_host = nullptr;
  // Called once per node of a loaded model when all shapes are static; in the context only
  // constants have data, and an input left out has dtype kUndefined.  May return nullptr: nothing
  // is gained, run_host is used.
  PrepareFn prepare = nullptr;
  bool view = false;  // output 0 is the bytes of input 0 with another shape
  // Some output's shape depends on the elements of an input; run_host calls Allocate for it.
  bool data_sized = false;
  Pointwise pointwise = Pointwise::kNo;
  DtypeSet dtypes = DtypeSet::kNumbers;
  // Draws random numbers: results differ from run to run, so that it is never folded.
  bool random = false;
};

// An operator that works element by element; all its inputs broadcast to its result.
constexpr OpImpl PointwiseOp(std::string_view type, InferFn infer, KernelFn kernel,
                             DtypeSet dtypes = DtypeSet::kNumbers) {
  OpImpl impl;
  impl.type = type;
  impl.infer = infer;
  impl.run_host = kernel;
  impl.pointwise = Pointwise::kBroadcast;
  impl.dtypes = dtypes;
  return impl;
}

// nullptr when the type has no implementation.
const OpImpl* FindOpImpl(std::string_view type);

// The dtype of input 0 or of a result that the kernel of `node` has no code for; kUndefined when
// there is none.  Shapes have been inferred.
DataType DtypeWithoutKernel(const Node& node);

// Registers a static OpImpl or an array of them.  Objects of this file are linked as an OBJECT
// library, so nothing refers to a registrar and nothing drops it.
struct OpRegistrar {
  explicit OpRegistrar(const OpImpl& impl);
  explicit OpRegistrar(std::span<const OpImpl> impls);
};
#define GE_OP(impl) static const ::ge::OpRegistrar GE_CONCAT(ge_op_registrar_, __LINE__)(impl)

// Runs the shape rule of `node`.  `asks_values` becomes true when the rule wants elements that are
// only known at run time.
Status InferNode(Node& node, bool* asks_values = nullptr);
// The same at run time, with the checks that it makes; `context` is one of the second kind.
Status InferAtRun(InferContext& context);

// Computes `node` when all its inputs are constant, it has a kernel, and the results take at most
// `limit` bytes or are views.  Results without elements are constant whatever the node reads.  A
// node with one output becomes a Const; for several outputs new Const nodes take over the readers
// and the node is left without any.  Returns the constants, one per output, or an empty vector
// when it does not fold.
inline constexpr int64_t kFoldLimitBytes = 64 * 1024;
Result<std::vector<Value>> FoldNode(Node& node, int64_t limit = kFoldLimitBytes);

}  // namespace ge
