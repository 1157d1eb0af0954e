#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/export.h"
#include "api/progress.h"
#include "base/status.h"

namespace ge {

// What a compile did, noted while it ran; see CompileRequest::record.  It holds the graph without
// its constants, so a report is made when somebody wants it.
struct CompileRecord;

// What the caller of a compile knows.
struct ReportFacts {
  std::string soc_version;
  std::string command_line;                                // canonical
  std::vector<std::pair<std::string, std::string>> flags;  // the words of command_line
  Status status;
  std::vector<Problem> warnings;
};

namespace api {

GE_API std::shared_ptr<CompileRecord> NewRecord();
// How far the compile is; the record must live as long.
GE_API const Progress& ProgressOf(const CompileRecord& record);

// The report of docs/report.md as JSON, in pieces.  A failure of the sink is returned.
using ReportSink = std::function<Status(std::span<const uint8_t>)>;
GE_API Status WriteReport(const ReportFacts& facts, const CompileRecord& record,
                          const ReportSink& sink);

// fusion_result.json (docs/report.md).
GE_API std::string FusionResultAsJson(const CompileRecord& record);

}  // namespace api
}  // namespace ge
