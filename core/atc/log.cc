#include "atc/log.h"

#include <unistd.h>

#include <array>
#include <cstdio>

#include "atc/screen.h"

namespace ge {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"debug", "info", "warning", "error"};
constexpr std::array<const char*, 4> kTags = {"DEBUG", "INFO", "WARNING", "ERROR"};

LogLevel LevelOf(std::string_view word) {
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i] == word) return static_cast<LogLevel>(i);
  }
  return LogLevel::kNone;
}

}  // namespace

Log::Log(std::string_view level) : lowest_(LevelOf(level)) {}

void Log::Write(LogLevel level, std::string_view text) const {
  if (level < lowest_) return;
  std::fflush(stdout);  // both streams may end in one terminal
  std::fprintf(stderr, "[PID: %d] %s %s %.*s\n", ::getpid(), TimeText().c_str(),
               kTags[static_cast<size_t>(level)], static_cast<int>(text.size()), text.data());
}

}  // namespace ge
