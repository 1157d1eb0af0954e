#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "acl/acl_rt.h"
#include "acl/shell.h"

namespace ge::acl {

// A queue of work that is done in order.  Work on a stream with nothing to do is done at once in
// the thread that brings it, when it is small: starting it elsewhere would take longer.  Other work
// is done by a thread of the stream, which starts with the first of it.
class Stream : public OpStream {
 public:
  using Work = std::function<AclStatus()>;

  Stream();
  ~Stream() override;
  Stream(const Stream&) = delete;

  AclStatus Launch(const OpTask& task) override;
  AclStatus Wait() override { return WaitFor(-1); }
  // Milliseconds; negative: no limit.  Gives the first failure of queued work since the last call.
  AclStatus WaitFor(int32_t milliseconds);
  // Work on `bytes` bytes.  `work` is copied when it is queued.
  template <typename Body>
  AclStatus Do(uint64_t bytes, const Body& work) {
    if (bytes <= kSmallBytes && Claim()) {
      AclStatus status = work();
      Release();
      return status;
    }
    Enqueue(work);
    return {};
  }
  void Enqueue(Work work);
  bool IsIdle();
  // Forgets what has not begun.
  void Drop();

 private:
  static constexpr uint64_t kSmallBytes = 256 * 1024;

  // Makes this thread the one that works; false when there is work already.
  bool Claim();
  void Release();
  void RunQueue();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> queue_;
  bool busy_ = false;
  bool ends_ = false;
  int waiters_ = 0;  // on changed_
  AclStatus failure_;
  std::thread thread_;
};

// The stream of the handle; NULL: that of the current context, if there is one.
AclStatus FindStream(aclrtStream handle, Stream** found);

// Runs `call`, which takes a Stream& and returns an AclStatus, for the stream of the handle.
template <typename Call>
aclError OnStream(aclrtStream handle, Call&& call) {
  return Report([&] {
    Stream* found = nullptr;
    AclStatus status = FindStream(handle, &found);
    return status.ok() ? call(*found) : status;
  });
}

}  // namespace ge::acl
