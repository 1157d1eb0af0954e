#pragma once

#include <string>
#include <string_view>

namespace ge {

enum class LogLevel { kDebug, kInfo, kWarning, kError, kNone };

// The log of --log: lines on stderr.
class Log {
 public:
  // A word of --log; "null" writes nothing.
  explicit Log(std::string_view level);

  void Write(LogLevel level, std::string_view text) const;

 private:
  LogLevel lowest_;
};

}  // namespace ge
