#include "atc/report_file.h"

#include <filesystem>

#include "options/request.h"

namespace ge {
namespace {

bool AreSame(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (std::filesystem::equivalent(a, b, ignored)) return true;
  return std::filesystem::weakly_canonical(a, ignored) ==
         std::filesystem::weakly_canonical(b, ignored);
}

// What stands against a report at `path`; empty when nothing does.
std::string WhyNot(const std::string& path, const Options& options) {
  if (!options.model.empty() && AreSame(path, options.model)) return "it is the file of --model";
  if (!options.output.empty() && AreSame(path, options.output + ".om")) {
    return "it is the file of --output";
  }
  return WhyUnwritable(path);
}

}  // namespace

Status ReportFile::Open(const std::string& path, const Options& options) {
  if (path.empty()) return Status::Ok();
  std::string reason = WhyNot(path, options);
  if (reason.empty()) reason = folders_.Create(path);
  if (!reason.empty()) {
    return Error(ErrorId::kE10001,
                 {{"value", path}, {"parameter", "GE_REPORT"}, {"reason", reason}});
  }
  Result<AtomicFile> file = AtomicFile::Create(path);
  if (!file.ok()) return file.status();
  file_.emplace(std::move(*file));
  return Status::Ok();
}

Status ReportFile::Write(const Options& options, const Status& status,
                         const std::vector<Problem>& warnings, const CompileRecord& record) {
  if (!is_open()) return Status::Ok();
  const ReportFacts facts = {options.soc_version, CanonicalCommandLine(options),
                             CanonicalFlags(options), status, warnings};
  GE_TRY(api::WriteReport(facts, record,
                          [&](std::span<const uint8_t> bytes) { return file_->Write(bytes); }));
  return file_->Commit();
}

}  // namespace ge
