#pragma once

#include <new>
#include <string>
#include <string_view>

#include "acl/acl_base.h"
#include "acl/acl_op.h"
#include "api/aclop.h"

// What all functions of the C ABI share: its opaque types are those of api/aclop.h and
// api/aclop_desc.h, failures leave a text, and no exception leaves a function.
namespace ge::acl {

inline OpTensorDesc* Unwrap(aclTensorDesc* desc) {
  return reinterpret_cast<OpTensorDesc*>(desc);
}
inline const OpTensorDesc* Unwrap(const aclTensorDesc* desc) {
  return reinterpret_cast<const OpTensorDesc*>(desc);
}
inline OpBuffer* Unwrap(aclDataBuffer* buffer) {
  return reinterpret_cast<OpBuffer*>(buffer);
}
inline const OpBuffer* Unwrap(const aclDataBuffer* buffer) {
  return reinterpret_cast<const OpBuffer*>(buffer);
}
inline OpAttrs* Unwrap(aclopAttr* attrs) {
  return reinterpret_cast<OpAttrs*>(attrs);
}
inline const OpAttrs* Unwrap(const aclopAttr* attrs) {
  return reinterpret_cast<const OpAttrs*>(attrs);
}

// Keeps `text` for aclGetRecentErrMsg of this thread and gives `code`.
aclError Fail(aclError code, std::string_view text);
// EH0002 and ACL_ERROR_INVALID_PARAM.
aclError FailNull(std::string_view function, std::string_view parameter);
// EH0001 and ACL_ERROR_INVALID_PARAM.
aclError FailValue(std::string_view function, std::string_view parameter, std::string_view value,
                   std::string_view reason);

// Runs `call`, which returns an aclError, and turns lack of memory into one.
template <typename Call>
aclError Guard(Call&& call) {
  try {
    return call();
  } catch (const std::bad_alloc&) {
    return Fail(ACL_ERROR_BAD_ALLOC, "Memory does not suffice.");
  }
}

// Runs `call`, which returns an AclStatus, keeps the text of a failure and gives its code.
template <typename Call>
aclError Report(Call&& call) {
  return Guard([&] {
    const AclStatus status = call();
    return status.ok() ? ACL_SUCCESS : Fail(status.code, status.text);
  });
}

// A new object, or NULL when there is no memory.
template <typename C, typename T>
C* NewHandle(T value) {
  return reinterpret_cast<C*>(new (std::nothrow) T(std::move(value)));
}

}  // namespace ge::acl

// Fails when a pointer is NULL; names the function and the parameter.
#define ACL_CHECK_NOT_NULL(pointer) \
  if ((pointer) == nullptr) return ::ge::acl::FailNull(__func__, #pointer)
