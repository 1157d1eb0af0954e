#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/export.h"
#include "base/status.h"

// Calls of Python, for the project's own tests.
namespace ge::api {

// Calls the Python function "module:name" from native threads, or with 0 of them from the thread of
// the caller, `calls` times in all.  Call i has the text of i as its request; `replies` gets what
// it gave: the reply, or "kind: error", the kind as its number.  `fastest_ns` is that of all calls.
GE_API Status CallFromThreads(const std::string& function, int threads, int calls,
                              std::vector<std::string>* replies, int64_t* fastest_ns);

// "reduce_sum_d" of "ReduceSumD".
GE_API std::string SnakeCaseOf(const std::string& type);

}  // namespace ge::api
