#include "api/testing_aclop.h"

#include "aclop/key.h"
#include "aclop/runtime.h"

namespace ge::api {

uint64_t HashOfOpAttrs(const OpAttrs& attrs) {
  return aclop::DigestOf(attrs);
}

uint64_t HashOfOp(const OpCall& call, std::optional<uint64_t> sequence) {
  const aclop::OpRequest request = aclop::RequestOf(call);
  return sequence ? aclop::DynamicHashOf(request, *sequence) : aclop::HashOf(request);
}

bool IsSameOp(const OpCall& call, const OpCall& compiled) {
  return aclop::Matches(aclop::RequestOf(call), aclop::CopyOf(aclop::RequestOf(compiled)), false);
}

}  // namespace ge::api
