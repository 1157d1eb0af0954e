#include "acl/stream.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "acl/shell.h"

namespace ge::acl {

Stream::Stream() = default;

Stream::~Stream() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

AclStatus Stream::Launch(const OpTask& task) {
  if (task.bytes <= kSmallBytes && Claim()) {
    AclStatus status = api::RunOpTask(task);
    Release();
    return status;
  }
  Enqueue(api::KeepOpTask(task));
  return {};
}

bool Stream::Claim() {
  const std::lock_guard lock(mutex_);
  if (busy_ || !queue_.empty()) return false;
  busy_ = true;
  return true;
}

void Stream::Release() {
  bool notify = false;
  {
    const std::lock_guard lock(mutex_);
    busy_ = false;
    notify = waiters_ != 0;
  }
  if (notify) changed_.notify_all();
}

bool Stream::IsIdle() {
  const std::lock_guard lock(mutex_);
  return !busy_ && queue_.empty();
}

void Stream::Enqueue(Work work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    if (!thread_.joinable()) thread_ = std::thread([this] { RunQueue(); });
  }
  changed_.notify_all();
}

void Stream::Drop() {
  const std::lock_guard lock(mutex_);
  queue_.clear();
}

void Stream::RunQueue() {
  std::unique_lock lock(mutex_);
  while (true) {
    ++waiters_;
    changed_.wait(lock,
                  [this] { return (!busy_ && !queue_.empty()) || (ends_ && queue_.empty()); });
    --waiters_;
    if (queue_.empty()) return;
    const Work work = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    AclStatus status;
    try {
      status = work();
    } catch (const std::bad_alloc&) {
      status = {ACL_ERROR_BAD_ALLOC, "Memory does not suffice."};
    }
    lock.lock();
    busy_ = false;
    if (failure_.ok()) failure_ = std::move(status);
    changed_.notify_all();
  }
}

AclStatus Stream::WaitFor(int32_t milliseconds) {
  std::unique_lock lock(mutex_);
  const auto idle = [this] { return !busy_ && queue_.empty(); };
  if (!idle()) {
    ++waiters_;
    const bool done = milliseconds < 0
                          ? (changed_.wait(lock, idle), true)
                          : changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), idle);
    --waiters_;
    if (!done) {
      return {
          ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
          "The stream has not finished within " + std::to_string(milliseconds) + " milliseconds."};
    }
  }
  return std::exchange(failure_, {});
}

}  // namespace ge::acl
