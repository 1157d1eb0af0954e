#include "acl/shell.h"

namespace {

// The text to be asked for, and the one that was given out last.
thread_local std::string pending;
thread_local std::string given;

}  // namespace

namespace ge::acl {

aclError Fail(aclError code, std::string_view text) {
  try {
    pending = text;
  } catch (const std::bad_alloc&) {
    pending.clear();
  }
  return code;
}

aclError FailNull(std::string_view function, std::string_view parameter) {
  return Fail(ACL_ERROR_INVALID_PARAM, "EH0002: " + std::string(function) + ": " +
                                           std::string(parameter) +
                                           " is NULL. Pass a valid pointer.");
}

aclError FailValue(std::string_view function, std::string_view parameter, std::string_view value,
                   std::string_view reason) {
  return Fail(ACL_ERROR_INVALID_PARAM, "EH0001: " + std::string(function) + ": value [" +
                                           std::string(value) + "] of " + std::string(parameter) +
                                           " is not valid: " + std::string(reason) + ".");
}

}  // namespace ge::acl

extern "C" const char* aclGetRecentErrMsg(void) {
  if (pending.empty()) return nullptr;
  given.swap(pending);
  pending.clear();
  return given.c_str();
}
