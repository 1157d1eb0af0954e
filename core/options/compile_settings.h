#pragma once

#include <string>
#include <vector>

#include "api/compile.h"
#include "options/parse_argv.h"

namespace ge {

// A compile as a program asks for it, without a command line.
struct CompileJob {
  std::vector<Setting> settings;  // flags of mode 0; model and output are among them
  // A model in memory: what the descriptor has open, at `model_path`, which need not exist.
  int model_descriptor = -1;
  std::string model_path;
  const std::atomic<bool>* cancelled = nullptr;
  bool own_passes = false;        // the program has registered graph passes
  bool hooks_registered = false;  // HookPaths::registered
};

struct Compiled {
  CompileResult result;
  ReportFacts facts;
  std::shared_ptr<CompileRecord> record;
};

// Checks the settings as the command line does, creates the folders of the output and compiles.
// Notes of the checks come as warnings without a code.  Reentrant.
Status CompileBySettings(const CompileJob& job, Compiled* compiled);
// Its report (docs/report.md), made when it is asked for.
Status ReportOf(const Compiled& compiled, std::string* json);

// The value that a flag has for a bool: "1" and "0", or "true" and "false" where it takes words.
std::string BoolText(const std::string& flag, bool value);
// Names of all flags that a compile may be given.
std::vector<std::string> CompileFlags();

}  // namespace ge
