#pragma once

#include <cstdint>
#include <optional>

#include "api/aclop.h"

// What single operators are found by, for the project's own tests.
namespace ge::api {

GE_API uint64_t HashOfOpAttrs(const OpAttrs& attrs);
// With `sequence`: of an operator whose ranges have this number.
GE_API uint64_t HashOfOp(const OpCall& call, std::optional<uint64_t> sequence);
// Whether `call` finds an operator that was compiled with `compiled`.
GE_API bool IsSameOp(const OpCall& call, const OpCall& compiled);

}  // namespace ge::api
