#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string_view>

namespace ge {

// What a compile does, in this order.
enum class Stage : uint8_t { kImport, kPasses, kPrecision, kPlan, kWrite };

struct StageRow {
  std::string_view name;  // in the report
  std::string_view doing;
  std::string_view unit;  // of what is counted
};
inline constexpr std::array kStages = {
    StageRow{"import", "importing", "operators"},
    StageRow{"passes", "optimizing", "passes"},
    StageRow{"precision", "choosing data types", "operators"},
    StageRow{"plan", "planning memory", "operators"},
    StageRow{"write", "writing", "bytes"},
};

// How far a compile is, and how long its stages took.  One thread writes; any may call Look().
class Progress {
 public:
  struct View {
    Stage stage = Stage::kImport;
    uint64_t done = 0;   // units of the stage
    uint64_t total = 0;  // 0: not known yet
  };

  void Begin(Stage stage, uint64_t total = 0) {
    Stop();
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    running_ = true;
    total_ = total;
    done_.store(0, std::memory_order_relaxed);
  }
  void SetTotal(uint64_t total) {
    const std::lock_guard lock(mutex_);
    total_ = total;
  }
  void Advance() { SetDone(done_.load(std::memory_order_relaxed) + 1); }
  void SetDone(uint64_t done) { done_.store(done, std::memory_order_relaxed); }
  // The last stage ended.
  void Stop() {
    const Clock::time_point now = Clock::now();
    if (running_) times_[static_cast<size_t>(stage_)] += now - since_;
    running_ = false;
    since_ = now;
  }

  View Look() const {
    const std::lock_guard lock(mutex_);
    return {stage_, done_.load(std::memory_order_relaxed), total_};
  }
  // 0 for a stage that did not begin.
  std::chrono::nanoseconds TimeOf(Stage stage) const { return times_[static_cast<size_t>(stage)]; }

 private:
  using Clock = std::chrono::steady_clock;

  mutable std::mutex mutex_;  // of what Look() reads, so that a stage and its numbers fit
  Stage stage_ = Stage::kImport;
  uint64_t total_ = 0;
  std::atomic<uint64_t> done_ = 0;
  bool running_ = false;
  Clock::time_point since_;
  std::array<std::chrono::nanoseconds, kStages.size()> times_ = {};
};

}  // namespace ge
