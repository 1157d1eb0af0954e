#pragma once

#include <optional>

#include "api/report.h"
#include "atc/log.h"
#include "base/atomic_file.h"
#include "options/options.h"
#include "options/paths.h"

namespace ge {

// fusion_result.json: in the current folder, or in $ASCEND_WORK_PATH/FE/<process id>.  When it is
// written is said by --export_compile_stat.
class FusionResult {
 public:
  // Makes sure before the compile that it can be written.  A run that did not ask for it goes on
  // without it where it cannot.
  Status Open(const Options& options, const Log& log);
  // The graph is compiled.
  Status AfterCompile(const CompileRecord& record);
  // The run succeeded.
  Status AtExit(const CompileRecord& record);

 private:
  Status Write(const CompileRecord& record);

  bool after_compile_ = false;
  OutputFolders folders_;
  std::optional<AtomicFile> file_;
};

}  // namespace ge
