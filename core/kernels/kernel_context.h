#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "base/shape.h"
#include "base/status.h"

namespace ge {

class AttrReader;

// A dense row-major tensor in host memory.  `data` is null for an optional input left out.
struct HostTensor {
  DataType dtype = DataType::kUndefined;
  Shape shape;
  void* data = nullptr;

  explicit operator bool() const { return data != nullptr; }
  int64_t elements() const { return *shape.elements(); }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

// Gives memory to results whose size depends on the data.
class OutputAllocator {
 public:
  virtual ~OutputAllocator() = default;
  // Never null; aligned for every element type.  A second call for the same output replaces the
  // first.
  virtual void* Allocate(size_t output, int64_t bytes) = 0;
};

// One call of a kernel: inputs are read only.  Outputs have their dtype set; where the shape is
// static, memory too.  Outputs of the other kind have no data until the kernel calls Allocate.
// Kernels know no graph; attributes come through `attrs`.
struct KernelContext {
  std::span<const HostTensor> inputs;
  std::span<HostTensor> outputs;
  const AttrReader& attrs;
  OutputAllocator* allocator = nullptr;

  // Whether input i is there.
  bool has_input(size_t i) const { return i < inputs.size() && inputs[i].data != nullptr; }

  // Gives output i, whose shape depends on the data, a static shape and memory.
  void Allocate(size_t i, Shape shape) const;
  // The data is wrong, such as an index out of range: an E14001 that names the node.
  Status Fail(std::string reason) const;
  // The kernel has no code for a dtype of this node: an E10055.  Such a node is not folded.
  Status NotBuilt() const;
};

// What a kernel has worked out once for a node and uses in every run: packed weights, strides.
// Runs of one object may overlap.
class PreparedKernel {
 public:
  virtual ~PreparedKernel() = default;
  virtual Status Run(KernelContext& context) const = 0;
  // Bytes that the object holds beside the model's own weights.
  virtual uint64_t bytes() const { return 0; }
};

}  // namespace ge
