#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/aclop_desc.h"

// What operators are looked up by.
namespace ge::aclop {

// An operator as the table keeps it: copies of the caller's descriptions.
struct OpDefinition {
  std::string type;
  std::vector<OpTensorDesc> inputs, outputs;
  OpAttrs attrs;
};

// An operator as a caller describes it, for the length of a call.  `host_values`, parallel to
// `inputs` or null, are buffers whose bytes stand for a constant where the placement is kHost.
struct OpRequest {
  std::string_view type;
  std::span<const OpTensorDesc*const> inputs, outputs;
  const OpAttrs* attrs = nullptr;
  const OpBuffer* const* host_values = nullptr;

  bool IsConst(size_t input) const { return inputs[input]->is_const() || IsHostValue(input); }
  bool IsHostValue(size_t input) const;
  // Of an input that is constant.
  std::string_view ConstBytes(size_t input) const;
  size_t attr_count() const { return attrs == nullptr ? 0 : attrs->values().size(); }
};

// The values of the attributes alone, in order of their names.
uint64_t DigestOf(const OpAttrs& attrs);
// Of type, descriptions, attributes and constants.
uint64_t HashOf(const OpRequest& request);
// The same without dims and ranges, for operators whose ranges have number `sequence`.
uint64_t DynamicHashOf(const OpRequest& request, uint64_t sequence);

// With `dynamic`, dims and ranges do not count.
bool Matches(const OpRequest& request, const OpDefinition& definition, bool dynamic);
// What differs, field by field; "input 0: dtype is 1 (float16), compiled: 0 (float32)".
std::vector<std::string> DifferencesOf(const OpRequest& request, const OpDefinition& definition);

OpDefinition CopyOf(const OpRequest& request);
// Views of all tensors of a definition.
struct RequestOfDefinition {
  explicit RequestOfDefinition(const OpDefinition& definition);
  std::vector<const OpTensorDesc*> inputs, outputs;
  OpRequest request;
};
// "Add(float16 [2,3] ND, ...) -> float16 [2,3] ND {axes = [0]}"
std::string DescribeOp(const OpRequest& request);
std::string DtypeText(int32_t dtype);
std::string FormatText(int32_t format);

}  // namespace ge::aclop
