// aclSetCompileopt and its neighbours.
#include <cstring>

#include "aclop/runtime.h"
#include "aclop/status.h"

namespace ge::api {

using namespace aclop;  // NOLINT: this file implements the functions of that stage

namespace {

constexpr size_t kJitTextBytes = 256;
constexpr size_t kMostBytes = 0x7fffffff;

AclStatus Copy(const std::string& text, char* value, size_t length) {
  if (length < text.size() + 1 || length > kMostBytes) {
    return Fail(ACL_ERROR_FAILURE, "A buffer of " + std::to_string(length) +
                                       " bytes does not do for a value of " +
                                       std::to_string(text.size() + 1) + " bytes.");
  }
  std::memcpy(value, text.c_str(), text.size() + 1);
  return {};
}

}  // namespace

AclStatus SetOpOption(OpRuntime& runtime, int32_t opt, const char* value) {
  if (value == nullptr) return FailNull("value");
  if (opt == kAutoTuneOpt) {
    return Fail(ACL_ERROR_FEATURE_UNSUPPORTED,
                "EH0006: ACL_AUTO_TUNE_MODE is not supported. Leave it out.");
  }
  if (opt < 0 || opt >= kOptCount) {
    return Fail(ACL_ERROR_INTERNAL_ERROR, "Compile option [" + std::to_string(opt) +
                                              "] is not known; the numbers 0 to " +
                                              std::to_string(kOptCount - 1) + " are.");
  }
  ACL_TRY(runtime.Start());
  std::string text = value;
  if (opt == kJitCompileOpt) text = text == "enable" ? "1" : "0";
  runtime.options.Set(opt, std::move(text));
  return {};
}

size_t OpOptionSize(const OpRuntime& runtime, int32_t opt) {
  if (opt == kJitCompileOpt) return kJitTextBytes;
  const std::optional<std::string> text = runtime.options.Get(opt);
  return text ? text->size() + 1 : 0;
}

AclStatus GetOpOption(OpRuntime& runtime, int32_t opt, char* value, size_t length) {
  if (value == nullptr) return FailNull("value");
  if (opt == kJitCompileOpt) {
    ACL_TRY(runtime.Start());
    return Copy(runtime.default_jit() ? "enable" : "disable", value, length);
  }
  const std::optional<std::string> text =
      opt == kDebugOpt ? runtime.options.Get(opt) : std::nullopt;
  if (text) return Copy(*text, value, length);
  return Fail(ACL_ERROR_API_NOT_SUPPORT,
              "EH0006: compile option [" + std::to_string(opt) +
                  "] cannot be read; ACL_OP_JIT_COMPILE and, once it is set, ACL_OP_DEBUG_OPTION "
                  "can.");
}

AclStatus SetOpCompileFlag(OpRuntime& runtime, int32_t flag) {
  ACL_TRY(runtime.Start());
  runtime.options.SetFuzz(flag == 1);
  return {};
}

AclStatus SetMaxOpQueueNum(OpRuntime& runtime, uint64_t limit) {
  if (limit == 0) return FailValue("maxOpNum", "0", "it must be greater than 0");
  runtime.table.SetLimit(limit);
  return {};
}

}  // namespace ge::api
