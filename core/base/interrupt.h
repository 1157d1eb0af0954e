#pragma once

#include <atomic>

namespace ge {

// Turns the first SIGINT of a run into a flag, for as long as the object lives; the second one acts
// as it did before.  Where SIGINT is ignored, or another run of this process watches it already,
// nothing changes.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;

  const std::atomic<bool>* flag() const;
  bool interrupted() const { return flag()->load(); }

 private:
  bool installed_ = false;
};

}  // namespace ge
