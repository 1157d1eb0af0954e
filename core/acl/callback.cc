// Callbacks of streams, which threads of the caller run.
#include <pthread.h>

#include <chrono>
#include <map>
#include <memory>

#include "acl/shell.h"
#include "acl/stream.h"

using ge::AclStatus;
using ge::acl::Stream;

namespace {

struct Callback {
  aclrtCallback fn;
  void* data;
  bool done = false;
};

// The callbacks for one thread.
struct Reporter {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Callback>> queue;
  bool closed = false;
};

struct Registry {
  std::mutex mutex;
  std::map<uint64_t, std::shared_ptr<Reporter>> by_thread;
  std::map<const Stream*, std::pair<uint64_t, std::shared_ptr<Reporter>>> by_stream;
};

Registry& Reporters() {
  static Registry& registry = *new Registry();
  return registry;
}

}  // namespace

extern "C" {

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return ge::acl::OnStream(stream, [&](const Stream& found) -> AclStatus {
    Registry& all = Reporters();
    const std::lock_guard lock(all.mutex);
    if (all.by_stream.contains(&found)) {
      return {ACL_ERROR_RT_STREAM_SUBSCRIBE, "The stream has a thread already."};
    }
    std::shared_ptr<Reporter>& reporter = all.by_thread[threadId];
    if (reporter == nullptr) reporter = std::make_shared<Reporter>();
    all.by_stream[&found] = {threadId, reporter};
    return {};
  });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return ge::acl::OnStream(stream, [&](const Stream& found) -> AclStatus {
    Registry& all = Reporters();
    const std::lock_guard lock(all.mutex);
    const auto entry = all.by_stream.find(&found);
    if (entry == all.by_stream.end() || entry->second.first != threadId) {
      return {ACL_ERROR_RT_THREAD_SUBSCRIBE, "The stream has not this thread."};
    }
    const std::shared_ptr<Reporter> reporter = entry->second.second;
    all.by_stream.erase(entry);
    for (const auto& [other, owner] : all.by_stream) {
      if (owner.first == threadId) return {};
    }
    all.by_thread.erase(threadId);
    const std::lock_guard inner(reporter->mutex);
    reporter->closed = true;
    reporter->changed.notify_all();
    return {};
  });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType,
                             aclrtStream stream) {
  ACL_CHECK_NOT_NULL(fn);
  return ge::acl::OnStream(stream, [&](Stream& found) -> AclStatus {
    std::shared_ptr<Reporter> reporter;
    {
      Registry& all = Reporters();
      const std::lock_guard lock(all.mutex);
      const auto entry = all.by_stream.find(&found);
      if (entry != all.by_stream.end()) reporter = entry->second.second;
    }
    if (reporter == nullptr) {
      return {ACL_ERROR_RT_STREAM_NO_CB_REG,
              "The stream has no thread for callbacks. Call aclrtSubscribeReport first."};
    }
    const auto callback = std::make_shared<Callback>(Callback{fn, userData});
    found.Enqueue([reporter, callback, blocks = blockType == ACL_CALLBACK_BLOCK] {
      std::unique_lock lock(reporter->mutex);
      reporter->queue.push_back(callback);
      reporter->changed.notify_all();
      const auto done = [&] { return callback->done || reporter->closed; };
      if (blocks) reporter->changed.wait(lock, done);
      return AclStatus();
    });
    return {};
  });
}

aclError aclrtProcessReport(int32_t timeout) {
  std::shared_ptr<Reporter> reporter;
  {
    Registry& all = Reporters();
    const std::lock_guard lock(all.mutex);
    const auto found = all.by_thread.find(static_cast<uint64_t>(pthread_self()));
    if (found != all.by_thread.end()) reporter = found->second;
  }
  if (reporter == nullptr) {
    return ge::acl::Fail(ACL_ERROR_RT_THREAD_SUBSCRIBE,
                         "The thread has no stream. Call aclrtSubscribeReport first.");
  }
  std::unique_lock lock(reporter->mutex);
  const auto ready = [&] { return !reporter->queue.empty() || reporter->closed; };
  if (timeout < 0) {
    reporter->changed.wait(lock, ready);
  } else {
    reporter->changed.wait_for(lock, std::chrono::milliseconds(timeout), ready);
  }
  if (reporter->queue.empty()) {
    return ge::acl::Fail(ACL_ERROR_RT_REPORT_TIMEOUT, "No callback has come.");
  }
  const std::shared_ptr<Callback> callback = reporter->queue.front();
  reporter->queue.pop_front();
  lock.unlock();
  callback->fn(callback->data);
  lock.lock();
  callback->done = true;
  reporter->changed.notify_all();
  return ACL_SUCCESS;
}

}  // extern "C"
