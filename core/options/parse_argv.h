#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "options/options.h"

namespace ge {

struct ParsedArgv {
  Options options;
  // --help was met, and nothing to its left was wrong.
  bool help = false;
  // One line each for unknown flags, missing values and stray words; ATC gives these no code.
  std::vector<std::string> syntax_faults;
  Status value_faults;

  bool ok() const { return syntax_faults.empty() && value_faults.ok(); }
};

// Parses the words after argv[0] as ATC does (getopt_long with prefixes and permutation), except
// that it goes on after a fault, so that all of them are found.  argv is not changed.
ParsedArgv ParseArgv(int32_t argc, char* const argv[]);

// A flag that a program sets by its full name.
struct Setting {
  std::string name;
  std::string value;
};
// The same from settings, whose names are all known.
ParsedArgv ParseSettings(const std::vector<Setting>& settings);

}  // namespace ge
