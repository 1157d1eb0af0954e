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

// One call of a kernel: inputs are read only, outputs have their dtype and static shape set and
// their memory allocated.  Kernels know no graph; attributes come through `attrs`.
struct KernelContext {
  std::span<const HostTensor> inputs;
  std::span<const HostTensor> outputs;
  const AttrReader& attrs;

  // Whether input i is there.
  bool has_input(size_t i) const { return i < inputs.size() && inputs[i].data != nullptr; }

  // The data is wrong, such as an index out of range: an E14001 that names the node.
  Status Fail(std::string reason) const;
  // The kernel has no code for a dtype of this node: an E10055.  Such a node is not folded.
  Status NotBuilt() const;
};

}  // namespace ge
