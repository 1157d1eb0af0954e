#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/report.h"
#include "base/atomic_file.h"
#include "options/options.h"
#include "options/paths.h"

namespace ge {

// The file that GE_REPORT names: docs/report.md.
class ReportFile {
 public:
  // Makes sure that a report can be written at `path` later; an empty path: none is wanted.
  Status Open(const std::string& path, const Options& options);
  bool is_open() const { return file_.has_value(); }
  // Writes it, if one is wanted.
  Status Write(const Options& options, const Status& status, const std::vector<Problem>& warnings,
               const CompileRecord& record);

 private:
  OutputFolders folders_;
  std::optional<AtomicFile> file_;
};

}  // namespace ge
