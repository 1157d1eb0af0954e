#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace ge {

// What the checks of the command line found.
struct Findings {
  Status faults;                   // in ATC's order of checks: the first is the headline
  std::vector<Problem> warnings;   // printed after a successful run
  std::vector<std::string> notes;  // lines for stdout, printed before the work starts

  void Fail(ErrorId id, ErrorValues values) { faults.Add(Error(id, values)); }
  void Warn(ErrorId id, ErrorValues values) { warnings.push_back(MakeProblem(id, values)); }
};

}  // namespace ge
