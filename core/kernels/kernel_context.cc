#include "kernels/kernel_context.h"

#include "ops/op_impl.h"

namespace ge {

void KernelContext::Allocate(size_t i, Shape shape) const {
  outputs[i].data = allocator->Allocate(i, *BytesOf(outputs[i].dtype, *shape.elements()));
  outputs[i].shape = std::move(shape);
}

Status KernelContext::Fail(std::string reason) const {
  return Error(ErrorId::kE14001, {{"opname", attrs.node().source_name()},
                                  {"optype", attrs.node().type()},
                                  {"reason", reason}});
}

Status KernelContext::NotBuilt() const {
  std::string dtypes;
  for (const HostTensor& input : inputs) {
    if (!dtypes.empty()) dtypes += ", ";
    if (input) dtypes += UserName(input.dtype);
  }
  return Error(ErrorId::kE10055, {{"reason", "operator " + attrs.node().type() +
                                                 " has no host kernel for inputs of " + dtypes}});
}

}  // namespace ge
