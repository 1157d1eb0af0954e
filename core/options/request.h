#pragma once

#include <string>
#include <utility>
#include <vector>

#include "api/compile.h"
#include "api/single_ops.h"
#include "options/options.h"

namespace ge {

// The command line as it is stored in the model: `atc --flag=value ...` with the flags that the
// user gave in the order of the flag table, and paths reduced to their last component.  So it
// depends neither on the entry (atc, pyatc), nor on the folder, nor on the order of the words.
std::string CanonicalCommandLine(const Options& options);
// The same flags, each with its value.
std::vector<std::pair<std::string, std::string>> CanonicalFlags(const Options& options);

// What to compile, for options that CheckOptions found in order.
CompileRequest MakeCompileRequest(const Options& options);
// The same with --singleop.
SingleOpsRequest MakeSingleOpsRequest(const Options& options);

}  // namespace ge
