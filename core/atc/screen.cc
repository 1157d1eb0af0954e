#include "atc/screen.h"

#include <unistd.h>

#include <ctime>

namespace ge {
namespace {

constexpr const char* kIndent = "        ";

// Later lines of a text are indented, so that every line of a block can be told from a headline.
std::string Indented(const std::string& text) {
  std::string lines;
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines += kIndent;
  }
  return lines;
}

std::string Headline(const Problem& problem) {
  const ErrorRow& row = RowOf(problem.id);
  return "[PID: " + std::to_string(::getpid()) + "] " + TimeText() + " " + std::string(row.title) +
         "(" + std::string(CodeOf(problem)) + "): " + Indented(problem.message) + "\n";
}

}  // namespace

std::string TimeText() {
  timespec now;
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm local;
  ::localtime_r(&now.tv_sec, &local);
  char date[32];
  std::strftime(date, sizeof(date), "%Y-%m-%d-%H:%M:%S", &local);
  const std::string micros = std::to_string(1'000'000 + now.tv_nsec / 1000);  // a 1, then 6 digits
  return std::string(date) + "." + micros.substr(1, 3) + "." + micros.substr(4);
}

std::string ErrorBlock(const Status& status) {
  if (status.ok()) return "";
  const Problem& first = status.problems().front();
  std::string block = Headline(first);
  if (!first.cause.empty()) block += kIndent + ("Possible Cause: " + Indented(first.cause)) + "\n";
  if (!first.solution.empty()) block += kIndent + ("Solution: " + Indented(first.solution)) + "\n";
  std::string others;
  for (size_t i = 1; i < status.problems().size(); ++i) {
    const Problem& problem = status.problems()[i];
    if (problem.id == first.id && problem.message == first.message) continue;
    others += kIndent + Indented(problem.message) + "\n";
  }
  if (!others.empty()) {
    block += kIndent + std::string("TraceBack (most recent call last):\n") + others;
  }
  return block;
}

std::string WarningLines(const std::vector<Problem>& warnings) {
  std::string lines;
  for (const Problem& warning : warnings) lines += Headline(warning);
  return lines;
}

}  // namespace ge
