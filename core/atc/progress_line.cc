#include "atc/progress_line.h"

#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace ge {
namespace {

using namespace std::chrono_literals;

constexpr auto kQuietFor = 1s;
constexpr auto kRedrawEvery = 100ms;
constexpr size_t kDefaultColumns = 80;

// A line that reached the last column would wrap, and could not be drawn over.
size_t UsableColumns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return (known ? size.ws_col : kDefaultColumns) - 1;
}

std::string Megabytes(uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f", static_cast<double>(bytes) / 1e6);
  return text;
}

}  // namespace

std::string ProgressText(const Progress::View& view) {
  const StageRow& row = kStages[static_cast<size_t>(view.stage)];
  std::string text(row.doing);
  if (view.total == 0) return text;
  const bool in_bytes = view.stage == Stage::kWrite;
  const auto number = [&](uint64_t count) {
    return in_bytes ? Megabytes(count) : std::to_string(count);
  };
  text += ": ";
  if (view.done != 0) text += number(view.done) + " / ";
  return text + number(view.total) + " " + (in_bytes ? "MB" : std::string(row.unit));
}

ProgressLine::ProgressLine(const Progress& progress) : progress_(progress) {
  if (::isatty(STDERR_FILENO) == 0) return;
  sigset_t all, before;  // signals stay with the threads that were there
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { Run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void ProgressLine::Run() {
  std::unique_lock lock(mutex_);
  const auto is_stopped = [this] { return stopped_; };
  for (auto wait = std::chrono::milliseconds(kQuietFor); !changed_.wait_for(lock, wait, is_stopped);
       wait = kRedrawEvery) {
    Draw(ProgressText(progress_.Look()));
  }
  if (drawn_ == 0) return;
  Draw("");
  Draw("");  // the cursor goes back
}

void ProgressLine::Draw(std::string text) {
  text.resize(std::min(text.size(), UsableColumns()));
  const size_t columns = text.size();
  if (columns < drawn_) text.append(drawn_ - columns, ' ');
  drawn_ = columns;
  text.insert(0, "\r");
  [[maybe_unused]] const ssize_t shown = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace ge
