// Device 0, contexts and streams.
#include "acl/context.h"

#include <map>
#include <vector>

#include "acl/shell.h"

using ge::AclStatus;
using ge::acl::Stream;

namespace {

struct Context {
  std::shared_ptr<Stream> default_stream = ge::acl::MakeStream();
  ~Context() { ge::acl::ForgetStream(default_stream.get()); }
};

// Live objects; never freed, as threads may use them while the process ends.
struct Registry {
  std::mutex mutex;
  std::map<const void*, std::shared_ptr<Stream>> streams;
  std::map<const void*, std::shared_ptr<Context>> contexts;
  std::shared_ptr<Context> of_device;  // the default context of device 0
};

Registry& Objects() {
  static Registry& registry = *new Registry();
  return registry;
}

// Its context stays alive while the thread uses it, but is gone once it has been destroyed.
thread_local std::weak_ptr<Context> current;

constexpr const char* kNoContext =
    "The thread has no current context. Call aclrtSetDevice(0) or aclrtSetCurrentContext first.";

aclError FailContext() {
  return ge::acl::Fail(ACL_ERROR_RT_CONTEXT_NULL, kNoContext);
}

aclError CheckDevice(const char* function, int32_t device) {
  if (device == 0) return ACL_SUCCESS;
  return ge::acl::Fail(ACL_ERROR_RT_INVALID_DEVICEID,
                       std::string(function) + ": there is no device " + std::to_string(device) +
                           "; the host has device 0.");
}

// Whether device 0 has its context, which then becomes that of the thread.
bool HoldsDevice(std::weak_ptr<Context>* context) {
  Registry& objects = Objects();
  const std::lock_guard lock(objects.mutex);
  if (objects.of_device == nullptr) return false;
  *context = objects.of_device;
  return true;
}

}  // namespace

namespace ge::acl {

std::shared_ptr<Stream> MakeStream() {
  auto stream = std::make_shared<Stream>();
  Registry& objects = Objects();
  const std::lock_guard lock(objects.mutex);
  objects.streams.emplace(stream.get(), stream);
  return stream;
}

void ForgetStream(const Stream* stream) {
  std::shared_ptr<Stream> last;  // ends without the lock
  Registry& objects = Objects();
  const std::lock_guard lock(objects.mutex);
  const auto found = objects.streams.find(stream);
  if (found == objects.streams.end()) return;
  last = std::move(found->second);
  objects.streams.erase(found);
}

AclStatus WaitForAllStreams() {
  std::vector<std::shared_ptr<Stream>> streams;
  {
    Registry& objects = Objects();
    const std::lock_guard lock(objects.mutex);
    for (const auto& [handle, stream] : objects.streams) streams.push_back(stream);
  }
  AclStatus first;
  for (const auto& stream : streams) {
    AclStatus status = stream->Wait();
    if (first.ok()) first = std::move(status);
  }
  return first;
}

bool HasContext() {
  return !current.expired();
}

AclStatus FindStream(aclrtStream handle, Stream** found) {
  *found = static_cast<Stream*>(handle);
  if (handle != nullptr) return {};
  const std::shared_ptr<Context> context = current.lock();
  if (context == nullptr) return {ACL_ERROR_RT_CONTEXT_NULL, kNoContext};
  *found = context->default_stream.get();
  return {};
}

}  // namespace ge::acl

extern "C" {

aclError aclrtSetDevice(int32_t deviceId) {
  if (const aclError code = CheckDevice(__func__, deviceId); code != ACL_SUCCESS) return code;
  return ge::acl::Guard([] {
    if (HoldsDevice(&current)) return ACL_SUCCESS;
    const auto made = std::make_shared<Context>();  // ends without the lock if it comes too late
    Registry& objects = Objects();
    const std::lock_guard lock(objects.mutex);
    if (objects.of_device == nullptr) {
      objects.of_device = made;
      objects.contexts.emplace(made.get(), made);
    }
    current = objects.of_device;
    return ACL_SUCCESS;
  });
}

aclError aclrtResetDevice(int32_t deviceId) {
  if (const aclError code = CheckDevice(__func__, deviceId); code != ACL_SUCCESS) return code;
  return ge::acl::Report([] {
    AclStatus status = ge::acl::WaitForAllStreams();
    std::shared_ptr<Context> context;
    Registry& objects = Objects();
    {
      const std::lock_guard lock(objects.mutex);
      context = std::move(objects.of_device);
      objects.of_device = nullptr;
      objects.contexts.erase(context.get());
    }
    return status;
  });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  ACL_CHECK_NOT_NULL(deviceId);
  if (!ge::acl::HasContext()) return FailContext();
  *deviceId = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  ACL_CHECK_NOT_NULL(count);
  *count = 1;
  return ACL_SUCCESS;
}

aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  ACL_CHECK_NOT_NULL(runMode);
  *runMode = ACL_HOST;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeDevice(void) {
  return ge::acl::Report([] { return ge::acl::WaitForAllStreams(); });
}

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  ACL_CHECK_NOT_NULL(context);
  if (const aclError code = CheckDevice(__func__, deviceId); code != ACL_SUCCESS) return code;
  return ge::acl::Guard([&] {
    const auto made = std::make_shared<Context>();
    Registry& objects = Objects();
    const std::lock_guard lock(objects.mutex);
    objects.contexts.emplace(made.get(), made);
    current = made;
    *context = made.get();
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  ACL_CHECK_NOT_NULL(context);
  std::shared_ptr<Context> gone;
  Registry& objects = Objects();
  {
    const std::lock_guard lock(objects.mutex);
    const auto found = objects.contexts.find(context);
    if (found == objects.contexts.end()) {
      return ge::acl::Fail(ACL_ERROR_RT_CONTEXT_NULL, "There is no such context.");
    }
    gone = std::move(found->second);
    objects.contexts.erase(found);
    if (objects.of_device == gone) objects.of_device = nullptr;
  }
  return ACL_SUCCESS;
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  ACL_CHECK_NOT_NULL(context);
  Registry& objects = Objects();
  const std::lock_guard lock(objects.mutex);
  const auto found = objects.contexts.find(context);
  if (found == objects.contexts.end()) {
    return ge::acl::Fail(ACL_ERROR_RT_CONTEXT_NULL, "There is no such context.");
  }
  current = found->second;
  return ACL_SUCCESS;
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  ACL_CHECK_NOT_NULL(context);
  const std::shared_ptr<Context> held = current.lock();
  if (held == nullptr) return FailContext();
  *context = held.get();
  return ACL_SUCCESS;
}

aclError aclrtCreateStream(aclrtStream* stream) {
  return aclrtCreateStreamWithConfig(stream, 0, 0);
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
  ACL_CHECK_NOT_NULL(stream);
  if (!ge::acl::HasContext()) return FailContext();
  return ge::acl::Guard([&] {
    *stream = ge::acl::MakeStream().get();
    return ACL_SUCCESS;
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  ACL_CHECK_NOT_NULL(stream);
  return ge::acl::OnStream(stream, [](Stream& found) {
    AclStatus status = found.Wait();
    ge::acl::ForgetStream(&found);
    return status;
  });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  ACL_CHECK_NOT_NULL(stream);
  return ge::acl::OnStream(stream, [](Stream& found) {
    found.Drop();
    ge::acl::ForgetStream(&found);
    return AclStatus();
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return aclrtSynchronizeStreamWithTimeout(stream, -1);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  if (timeout < -1) {
    return ge::acl::FailValue(__func__, "timeout", std::to_string(timeout),
                              "-1 (no limit) or milliseconds are accepted");
  }
  return ge::acl::OnStream(stream, [&](Stream& found) { return found.WaitFor(timeout); });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  ACL_CHECK_NOT_NULL(status);
  return ge::acl::OnStream(stream, [&](Stream& found) {
    *status = found.IsIdle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return AclStatus();
  });
}

}  // extern "C"
