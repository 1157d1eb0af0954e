#include "atc/fusion_result.h"

#include <unistd.h>

#include <cstdlib>

namespace ge {
namespace {

constexpr const char* kFileName = "fusion_result.json";

std::string Path() {
  const char* work = std::getenv("ASCEND_WORK_PATH");
  if (work == nullptr || *work == '\0') return kFileName;
  return std::string(work) + "/FE/" + std::to_string(::getpid()) + "/" + kFileName;
}

}  // namespace

Status FusionResult::Open(const Options& options, const Log& log) {
  if (options.export_compile_stat == "0") return Status::Ok();
  after_compile_ = options.export_compile_stat == "2";
  const std::string path = Path();
  Status status;
  if (const std::string reason = folders_.Create(path); !reason.empty()) {
    status = Error(ErrorId::kE13004, {{"file", path}, {"errmsg", reason}});
  } else if (Result<AtomicFile> file = AtomicFile::Create(path); file.ok()) {
    file_.emplace(std::move(*file));
  } else {
    status = file.status();
  }
  if (status.ok() || !options.export_compile_stat.empty()) {
    return status.WithSolution("--export_compile_stat=0 does without the file.");
  }
  log.Write(LogLevel::kWarning, status.problems().front().message);
  return Status::Ok();
}

Status FusionResult::AfterCompile(const CompileRecord& record) {
  return after_compile_ ? Write(record) : Status::Ok();
}

Status FusionResult::AtExit(const CompileRecord& record) {
  return after_compile_ ? Status::Ok() : Write(record);
}

Status FusionResult::Write(const CompileRecord& record) {
  if (!file_) return Status::Ok();
  const std::string json = api::FusionResultAsJson(record);
  GE_TRY(file_->Write({reinterpret_cast<const uint8_t*>(json.data()), json.size()}));
  return file_->Commit();
}

}  // namespace ge
