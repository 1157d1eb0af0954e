// The main flow of the command line; atc, pyatc and `python3 -m ge.pyatc` all come here.
//
//   start line -> parse -> check -> run the mode -> dots -> final line, warnings or error block

#include "atc/main_impl.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "atc/dump_variables.h"
#include "atc/report_file.h"
#include "atc/run.h"
#include "atc/screen.h"
#include "atc/usage_name.h"
#include "base/interrupt.h"
#include "options/checks.h"
#include "options/help_text.h"
#include "options/parse_argv.h"

namespace ge {
namespace {

constexpr int32_t kSuccess = 0, kFailure = -1, kInterruptedStatus = 130;

Status InnerError(const std::exception& error) {  // memory ran out, or a fault of this program
  return Error(ErrorId::kE19999, {{"reason", error.what()}});
}

Status RunMode(const Options& options, const RunContext& context) try {
  switch (options.mode) {
    case 0:
      return options.singleop.empty() ? RunCompile(options, context)
                                      : RunSingleOps(options, context);
    case 1:
      return RunConvert(options, context);
    default:
      return RunShow(options.om);  // 6: CheckSupported let no other mode through
  }
} catch (const std::exception& error) {
  return InnerError(error);
}

// All that is wrong, the faults that ATC has no code for among it.
Status AllFaults(const ParsedArgv& parsed, const Status& status) {
  Status all;
  for (const std::string& line : parsed.syntax_faults) {
    all.Add(Status(Problem{ErrorId::kOk, line, "", ""}));
  }
  all.Add(status);
  return all;
}

// Writes the report.  A run without the report that was asked for failed, and leaves no model.
Status Report(const ParsedArgv& parsed, const Status& status, const std::vector<Problem>& warnings,
              const CompileRecord& record, ReportFile& file) {
  Status written = file.Write(parsed.options, AllFaults(parsed, status), warnings, record);
  if (!written.ok() && parsed.ok() && status.ok()) {
    ::unlink((parsed.options.output + ".om").c_str());
  }
  Status both = status;
  both.Add(std::move(written));
  return both;
}

void LogFindings(const Log& log, const Status& status, const std::vector<Problem>& warnings) {
  for (const Problem& warning : warnings) log.Write(LogLevel::kWarning, warning.message);
  for (const Problem& problem : status.problems()) log.Write(LogLevel::kError, problem.message);
}

void PrintFailure(std::string_view usage_name, const Status& status) {
  std::printf("ATC run failed. For the flags, see '%s --help'.\n%s\n",
              std::string(usage_name).c_str(), ErrorBlock(status).c_str());
}

int32_t Run(int32_t argc, char* argv[], std::string_view usage_name) {
  const ParsedArgv parsed = ParseArgv(argc, argv);
  if (parsed.help) {
    std::fputs(HelpText(usage_name).c_str(), stdout);
    return kSuccess;
  }
  std::fflush(stdout);
  for (const std::string& line : parsed.syntax_faults) {
    std::fprintf(stderr, "ERROR: %s\n", line.c_str());
  }
  const InterruptWatch watch;
  const Log log(parsed.options.log);
  Findings findings = CheckOptions(parsed.options);
  Status status = parsed.value_faults;
  status.Add(findings.faults);
  ReportFile report;
  const char* report_path = std::getenv("GE_REPORT");
  const bool compiles_network = ModeBit(parsed.options) == kMode0;
  if (report_path != nullptr && compiles_network) {
    status.Add(report.Open(report_path, parsed.options));
  }
  DumpRequest dump;
  if (compiles_network) dump = ReadDumpVariables(&status);
  const std::shared_ptr<CompileRecord> record = api::NewRecord();
  if (parsed.ok() && status.ok()) {
    for (const std::string& note : findings.notes) std::printf("%s\n", note.c_str());
    status = RunMode(parsed.options, {&log, watch.flag(), &findings.warnings, record, &dump});
  }
  status = Report(parsed, status, findings.warnings, *record, report);
  if (status.id() == ErrorId::kInterrupted) {
    std::fflush(stdout);
    std::fputs("interrupted\n", stderr);
    return kInterruptedStatus;
  }
  LogFindings(log, status, findings.warnings);
  if (parsed.ok()) std::puts("...");
  if (!parsed.ok() || !status.ok()) {
    PrintFailure(usage_name, status);
    return kFailure;
  }
  std::printf("ATC run success, welcome to the next use.\n%s\n",
              WarningLines(findings.warnings).c_str());
  return kSuccess;
}

}  // namespace

int32_t main_impl(int32_t argc, char* argv[]) {
  std::puts("ATC has started, please wait.");
  std::fflush(stdout);
  const std::string_view usage_name = UsageName(argc, argv);
  int32_t result = kFailure;
  try {
    result = Run(argc, argv, usage_name);
  } catch (const std::exception& error) {
    PrintFailure(usage_name, InnerError(error));
  }
  std::fflush(stdout);
  return result;
}

}  // namespace ge
