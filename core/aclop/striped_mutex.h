#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <shared_mutex>

namespace ge::aclop {

// A lock for many readers and few writers.  Readers of different threads touch different memory, so
// that they do not slow each other down; a writer takes all stripes.
class StripedMutex {
 public:
  // Stands where std::shared_lock and std::lock_guard want a mutex.
  void lock() {
    for (Line& stripe : stripes_) stripe.mutex.lock();
  }
  void unlock() {
    for (Line& stripe : stripes_) stripe.mutex.unlock();
  }
  void lock_shared() { stripes_[Stripe()].mutex.lock_shared(); }
  void unlock_shared() { stripes_[Stripe()].mutex.unlock_shared(); }

  // The number of the calling thread's stripe: threads take them in turn and keep them.
  static size_t Stripe() {
    static std::atomic<size_t> next = 0;
    thread_local const size_t mine = next.fetch_add(1, std::memory_order_relaxed) % kStripes;
    return mine;
  }

 private:
  static constexpr size_t kStripes = 16;
  struct alignas(128) Line {
    std::shared_mutex mutex;
  };

  std::array<Line, kStripes> stripes_;
};

}  // namespace ge::aclop
