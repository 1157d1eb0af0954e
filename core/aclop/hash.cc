// The hash of the C API, number for number: values are combined in a fixed order, each by the
// std::hash of its type.
#include <functional>

#include "aclop/key.h"

namespace ge::aclop {
namespace {

constexpr uint64_t kGolden = 0x9E3779B9;

template <typename T>
void Combine(uint64_t& seed, const T& value) {
  seed ^= std::hash<T>()(value) + kGolden + (seed << 6) + (seed >> 2);
}

struct CombineAttr {
  uint64_t& seed;
  void operator()(bool value) const { Combine(seed, value); }
  void operator()(uint8_t value) const { Combine(seed, value != 0); }
  void operator()(int64_t value) const { Combine(seed, value); }
  void operator()(float value) const { Combine(seed, value); }
  void operator()(const std::string& value) const { Combine(seed, value); }
  void operator()(OpDtype value) const { Combine(seed, value.number); }
  template <typename T>
  void operator()(const std::vector<T>& values) const {
    for (const T& value : values) (*this)(value);
  }
};

void CombineDesc(uint64_t& seed, const OpTensorDesc& desc, bool is_const, bool dynamic) {
  Combine(seed, desc.dtype);
  Combine(seed, desc.format);
  if (desc.storage_format != kUndefinedNumber) Combine(seed, desc.storage_format);
  if (!dynamic) {
    for (const int64_t dim : desc.dims) Combine(seed, dim);
    for (const DimRange& range : desc.shape_range) {
      Combine(seed, range.least);
      Combine(seed, range.most);
    }
  }
  Combine(seed, is_const);
  Combine(seed, desc.placement);
}

uint64_t Finish(uint64_t seed, const OpRequest& request, bool dynamic) {
  Combine(seed, static_cast<int32_t>(request.inputs.size()));
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    CombineDesc(seed, *request.inputs[i], request.IsConst(i), dynamic);
  }
  Combine(seed, static_cast<int32_t>(request.outputs.size()));
  for (const OpTensorDesc* desc : request.outputs) {
    CombineDesc(seed, *desc, desc->is_const(), dynamic);
  }
  Combine(seed, request.attrs == nullptr ? uint64_t{0} : DigestOf(*request.attrs));
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    if (request.IsConst(i)) Combine(seed, request.ConstBytes(i));
  }
  for (const OpTensorDesc* desc : request.outputs) {
    if (!desc->is_const()) continue;
    Combine(seed, std::string_view(reinterpret_cast<const char*>(desc->constant->data()),
                                   desc->constant->size()));
  }
  return seed;
}

}  // namespace

uint64_t DigestOf(const OpAttrs& attrs) {
  uint64_t seed = 0;
  for (const auto& [name, value] : attrs.values()) std::visit(CombineAttr{seed}, value);
  return seed;
}

uint64_t HashOf(const OpRequest& request) {
  uint64_t seed = 0;
  Combine(seed, request.type);
  return Finish(seed, request, false);
}

uint64_t DynamicHashOf(const OpRequest& request, uint64_t sequence) {
  uint64_t seed = 0;
  Combine(seed, request.type);
  Combine(seed, sequence);
  return Finish(seed, request, true);
}

}  // namespace ge::aclop
