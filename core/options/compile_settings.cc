#include "options/compile_settings.h"

#include <algorithm>

#include "base/hook_paths.h"
#include "options/checks.h"
#include "options/request.h"

namespace ge {
namespace {

// Flags that belong to the command line alone.
constexpr std::string_view kNotForPrograms[] = {
    "display_model_info", "export_compile_stat", "help", "log", "mode", "singleop"};

}  // namespace

Status CompileBySettings(const CompileJob& job, Compiled* compiled) {
  ParsedArgv parsed = ParseSettings(job.settings);
  Options& options = parsed.options;
  Findings findings = CheckOptions(options);
  Status status = parsed.value_faults;
  status.Add(findings.faults);
  if (!status.ok()) return status;
  if (job.model_descriptor >= 0) options.model = job.model_path;
  CompileRequest request = MakeCompileRequest(options);
  request.model_descriptor = job.model_descriptor;
  request.cancelled = job.cancelled;
  request.hooks = ReadHookPaths();
  request.hooks.own_passes = job.own_passes;
  request.hooks.registered = job.hooks_registered;
  OutputFolders folders;
  if (const std::string reason = folders.Create(request.output_path); !reason.empty()) {
    return Error(ErrorId::kE10001,
                 {{"value", options.output}, {"parameter", "--output"}, {"reason", reason}});
  }
  GE_ASSIGN(compiled->result, api::Compile(request));
  std::vector<Problem> warnings = std::move(findings.warnings);
  for (std::string& note : findings.notes) {
    warnings.push_back({ErrorId::kOk, std::move(note), "", ""});
  }
  std::vector<Problem>& all = compiled->result.warnings;
  all.insert(all.begin(), warnings.begin(), warnings.end());
  compiled->facts = {options.soc_version, request.command_line, CanonicalFlags(options), Status(),
                     all};
  compiled->record = request.record;
  return Status::Ok();
}

Status ReportOf(const Compiled& compiled, std::string* json) {
  return api::WriteReport(compiled.facts, *compiled.record, [&](std::span<const uint8_t> bytes) {
    json->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Status::Ok();
  });
}

std::string BoolText(const std::string& flag, bool value) {
  const auto row = std::find_if(kFlags.begin(), kFlags.end(),
                                [&](const Flag& other) { return other.name == flag; });
  const bool words = row == kFlags.end() || std::holds_alternative<bool Options::*>(row->field) ||
                     IsAccepted(*row, "true");
  if (words) return value ? "true" : "false";
  return value ? "1" : "0";
}

std::vector<std::string> CompileFlags() {
  std::vector<std::string> names;
  for (const Flag& flag : kFlags) {
    if (std::find(std::begin(kNotForPrograms), std::end(kNotForPrograms), flag.name) ==
        std::end(kNotForPrograms)) {
      names.emplace_back(flag.name);
    }
  }
  return names;
}

}  // namespace ge
