#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace ge {

// Local time as ATC prints it: 2026-01-31-09:05:00.123.456.
std::string TimeText();

// ATC's error block: the headline with process id and time, its cause and solution, and below them
// the messages of all other problems.  Empty when the status is ok.
std::string ErrorBlock(const Status& status);

// One line per warning, in the form of the headline.
std::string WarningLines(const std::vector<Problem>& warnings);

}  // namespace ge
