#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "acl/acl.h"
#include "acl/context.h"
#include "acl/op_call.h"

using Json = nlohmann::json;
using ge::AclStatus;

namespace {

std::mutex mutex;
bool initialized = false;
bool finalized = false;

// Parts of the file that steer what only a device has.
constexpr const char* kDeviceParts[] = {"dump", "profiler", "ascend_gdb"};

AclStatus Fault(aclError code, const char* path, const std::string& reason) {
  return {code, "The configuration file [" + std::string(path) + "] " + reason};
}

AclStatus ReadText(const char* path, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (file) content << file.rdbuf();
  if (!file || (content.fail() && file.peek() != std::ifstream::traits_type::eof())) {
    return Fault(ACL_ERROR_INVALID_FILE, path, std::string("cannot be read: ") + strerror(errno));
  }
  *text = content.str();
  return {};
}

// A positive integer, as a number or as text.
AclStatus ReadQueueNum(const char* path, const Json& value, uint64_t* number) {
  int64_t read = 0;
  if (value.is_number_integer()) {
    read = value.get<int64_t>();
  } else if (value.is_string()) {
    char* end = nullptr;
    const std::string text = value.get<std::string>();
    read = std::strtoll(text.c_str(), &end, 10);
    if (*end != '\0') read = 0;
  }
  *number = static_cast<uint64_t>(read);
  if (read > 0) return {};
  return Fault(ACL_ERROR_INVALID_PARAM, path,
               "has the max_opqueue_num " + value.dump() + "; a positive integer is accepted.");
}

AclStatus Configure(const char* path) {
  std::string text;
  if (AclStatus status = ReadText(path, &text); !status.ok()) return status;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return {};
  const Json config = Json::parse(text, nullptr, false);
  if (!config.is_object()) {
    return Fault(ACL_ERROR_PARSE_FILE, path, "is not a JSON object.");
  }
  for (const char* part : kDeviceParts) {
    if (!config.contains(part)) continue;
    return Fault(
        ACL_ERROR_FEATURE_UNSUPPORTED, path,
        "has a part [" + std::string(part) + "], which is not supported on the host. Remove it.");
  }
  if (config.contains("max_opqueue_num")) {
    uint64_t number = 0;
    if (AclStatus status = ReadQueueNum(path, config["max_opqueue_num"], &number); !status.ok()) {
      return status;
    }
    if (AclStatus status = ge::api::SetMaxOpQueueNum(ge::api::ProcessOpRuntime(), number);
        !status.ok()) {
      return status;
    }
  }
  if (!config.contains("soc_version")) return {};
  const Json& soc = config["soc_version"];
  if (!soc.is_string()) {
    return Fault(ACL_ERROR_INVALID_PARAM, path,
                 "has the soc_version " + soc.dump() + "; a text is accepted.");
  }
  return ge::api::SetOpSoc(ge::api::ProcessOpRuntime(), soc.get<std::string>());
}

}  // namespace

extern "C" {

aclError aclInit(const char* configPath) {
  const std::lock_guard lock(mutex);
  if (initialized) {
    return ge::acl::Fail(ACL_ERROR_REPEAT_INITIALIZE,
                         "aclInit has been called before. Call it once.");
  }
  if (configPath != nullptr && configPath[0] != '\0') {
    const aclError code = ge::acl::Report([&] { return Configure(configPath); });
    if (code != ACL_SUCCESS) return code;
  }
  initialized = true;
  finalized = false;
  return ACL_SUCCESS;
}

aclError aclFinalize(void) {
  const std::lock_guard lock(mutex);
  if (!initialized) {
    return finalized ? ge::acl::Fail(ACL_ERROR_REPEAT_FINALIZE,
                                     "aclFinalize has been called before. Call it once.")
                     : ge::acl::Fail(ACL_ERROR_UNINITIALIZE,
                                     "aclInit has not been called. Call it first.");
  }
  initialized = false;
  finalized = true;
  return ge::acl::Report([] { return ge::acl::WaitForAllStreams(); });
}

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  ACL_CHECK_NOT_NULL(majorVersion);
  ACL_CHECK_NOT_NULL(minorVersion);
  ACL_CHECK_NOT_NULL(patchVersion);
  *majorVersion = ACL_MAJOR_VERSION;
  *minorVersion = ACL_MINOR_VERSION;
  *patchVersion = ACL_PATCH_VERSION;
  return ACL_SUCCESS;
}

const char* aclrtGetSocName(void) {
  const std::string name = ge::api::OpSocName(ge::api::ProcessOpRuntime());
  if (name.empty()) return nullptr;
  // A name that was given out once stays valid.
  static std::set<std::string>& names = *new std::set<std::string>();
  const std::lock_guard lock(mutex);
  return names.insert(name).first->c_str();
}

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line,
               const char* fmt, ...) {
  if (func == nullptr || file == nullptr || fmt == nullptr) return;
  const char* const prints = std::getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
  if (prints == nullptr || std::strcmp(prints, "1") != 0) return;
  const char* const level = std::getenv("ASCEND_GLOBAL_LOG_LEVEL");
  if (static_cast<int>(logLevel) < (level == nullptr ? ACL_ERROR : std::atoi(level))) return;
  constexpr const char* kNames[] = {"DEBUG", "INFO", "WARNING", "ERROR"};
  char text[1024];
  va_list arguments;
  va_start(arguments, fmt);
  std::vsnprintf(text, sizeof(text), fmt, arguments);
  va_end(arguments);
  std::printf("[%s] APP %s:%u %s: %s\n", kNames[logLevel & 3], file, line, func, text);
}

}  // extern "C"
