#pragma once

#include <atomic>

#include "api/dump.h"
#include "api/report.h"
#include "atc/log.h"
#include "options/findings.h"
#include "options/options.h"

namespace ge {

// What a mode needs besides the options.
struct RunContext {
  const Log* log;
  const std::atomic<bool>* cancelled;
  std::vector<Problem>* warnings;
  std::shared_ptr<CompileRecord> record;
  const DumpRequest* dump;
};

// --mode=0: compiles a network; run_compile.cc.
Status RunCompile(const Options& options, const RunContext& context);
// --singleop: compiles the operators of a file, one model each; run_singleop.cc.
Status RunSingleOps(const Options& options, const RunContext& context);
// --mode=1: a model as JSON; run_convert.cc.
Status RunConvert(const Options& options, const RunContext& context);
// --mode=6: facts about a model on stdout; run_show.cc.
Status RunShow(const std::string& om_path);

}  // namespace ge
