#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "api/progress.h"

namespace ge {

// Where a compile is, as "importing: 1200 / 40000 operators".
std::string ProgressText(const Progress::View& view);

// Shows on stderr how far a compile is, from its second second on, in one line that is drawn anew
// and cleared when the object goes.  Nothing is shown where stderr is no terminal.
class ProgressLine {
 public:
  // `progress` must live as long.
  explicit ProgressLine(const Progress& progress);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;

 private:
  void Run();
  void Draw(std::string text);

  const Progress& progress_;
  size_t drawn_ = 0;  // columns
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::thread thread_;  // not started without a terminal
};

}  // namespace ge
