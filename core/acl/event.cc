#include <chrono>
#include <memory>

#include "acl/shell.h"
#include "acl/stream.h"

using ge::AclStatus;
using ge::acl::Stream;

namespace {

// What work in streams and the handle share.
struct Event {
  std::mutex mutex;
  std::condition_variable changed;
  uint64_t recorded = 0;  // times that recording was asked for
  uint64_t reached = 0;   // the last of these that a stream has come to
  std::chrono::steady_clock::time_point time;

  bool is_complete() const { return reached == recorded; }
  void Reach(uint64_t record) {
    {
      const std::lock_guard lock(mutex);
      reached = std::max(reached, record);
      time = std::chrono::steady_clock::now();
    }
    changed.notify_all();
  }
};
using SharedEvent = std::shared_ptr<Event>;

SharedEvent& Of(aclrtEvent event) {
  return *static_cast<SharedEvent*>(event);
}

}  // namespace

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) {
  ACL_CHECK_NOT_NULL(event);
  return ge::acl::Guard([&] {
    *event = new SharedEvent(std::make_shared<Event>());
    return ACL_SUCCESS;
  });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t) {
  return aclrtCreateEvent(event);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  ACL_CHECK_NOT_NULL(event);
  delete static_cast<SharedEvent*>(event);
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  ACL_CHECK_NOT_NULL(event);
  return ge::acl::OnStream(stream, [&](Stream& found) {
    const SharedEvent shared = Of(event);
    uint64_t record = 0;
    {
      const std::lock_guard lock(shared->mutex);
      record = ++shared->recorded;
    }
    return found.Do(0, [shared, record] {
      shared->Reach(record);
      return AclStatus();
    });
  });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  ACL_CHECK_NOT_NULL(event);
  return ge::acl::OnStream(stream, [&](Stream& found) {
    return found.Do(0, [shared = Of(event)] {
      const std::lock_guard lock(shared->mutex);
      shared->recorded = shared->reached = 0;
      return AclStatus();
    });
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  ACL_CHECK_NOT_NULL(event);
  ACL_CHECK_NOT_NULL(status);
  const std::lock_guard lock(Of(event)->mutex);
  *status = Of(event)->is_complete() ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  ACL_CHECK_NOT_NULL(event);
  ACL_CHECK_NOT_NULL(status);
  const std::lock_guard lock(Of(event)->mutex);
  const bool complete = Of(event)->recorded != 0 && Of(event)->is_complete();
  *status = complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return aclrtSynchronizeEventWithTimeout(event, -1);
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  ACL_CHECK_NOT_NULL(event);
  const SharedEvent shared = Of(event);
  std::unique_lock lock(shared->mutex);
  const auto complete = [&] { return shared->is_complete(); };
  if (timeout < 0) {
    shared->changed.wait(lock, complete);
  } else if (!shared->changed.wait_for(lock, std::chrono::milliseconds(timeout), complete)) {
    return ge::acl::Fail(
        ACL_ERROR_RT_EVENT_SYNC_TIMEOUT,
        "The event has not come within " + std::to_string(timeout) + " milliseconds.");
  }
  return ACL_SUCCESS;
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  ACL_CHECK_NOT_NULL(event);
  return ge::acl::OnStream(stream, [&](Stream& found) {
    const SharedEvent shared = Of(event);
    uint64_t record = 0;
    {
      const std::lock_guard lock(shared->mutex);
      if (shared->is_complete()) return AclStatus();
      record = shared->recorded;
    }
    found.Enqueue([shared, record] {
      std::unique_lock lock(shared->mutex);
      shared->changed.wait(lock,
                           [&] { return shared->reached >= record || shared->recorded == 0; });
      return AclStatus();
    });
    return AclStatus();
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  ACL_CHECK_NOT_NULL(ms);
  ACL_CHECK_NOT_NULL(startEvent);
  ACL_CHECK_NOT_NULL(endEvent);
  std::chrono::steady_clock::time_point times[2];
  for (int i = 0; i < 2; ++i) {
    Event& event = *Of(i == 0 ? startEvent : endEvent);
    const std::lock_guard lock(event.mutex);
    if (event.recorded == 0 || !event.is_complete()) {
      return ge::acl::Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID,
                           "An event has no time before it is recorded and its stream has come to "
                           "it. Call aclrtSynchronizeEvent first.");
    }
    times[i] = event.time;
  }
  if (times[1] < times[0]) {
    return ge::acl::Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_REVERSAL, "endEvent was before startEvent.");
  }
  *ms = std::chrono::duration<float, std::milli>(times[1] - times[0]).count();
  return ACL_SUCCESS;
}

}  // extern "C"
