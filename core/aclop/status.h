#pragma once

#include <string>

#include "acl/error_codes/acl_error_codes.h"
#include "api/aclop.h"
#include "base/status.h"

namespace ge::aclop {

inline AclStatus Fail(int32_t code, std::string text) {
  return {code, std::move(text)};
}
// All problems of a failed Status, one per line, under one code.
AclStatus Fail(int32_t code, const Status& status);

}  // namespace ge::aclop

// Returns the AclStatus of `expr` to the caller when it failed.
#define ACL_TRY(expr)                                            \
  do {                                                           \
    if (::ge::AclStatus acl_status = (expr); !acl_status.ok()) { \
      return acl_status;                                         \
    }                                                            \
  } while (false)
