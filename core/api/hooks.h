#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "api/export.h"

namespace ge {

class Graph;

// How a call of Python ended.
struct HookOutcome {
  enum class Kind : uint8_t {
    kDone,
    kNoModule,     // the module of the function could not be imported
    kRaised,       // the function raised an exception
    kInterrupted,  // KeyboardInterrupt
    kExit,         // SystemExit
  };
  Kind kind = Kind::kDone;
  std::string error;        // "ValueError: no such mode"
  std::string traceback;    // as Python prints it, the line of `error` last
  std::string interpreter;  // sys.executable
  // The dicts that operators raise as RuntimeError({"errCode": ...}, text): a JSON array of objects
  // of texts, [] when there are none.
  std::string details;
};

// What Python does for the compile.  `function` is "module:name"; the module is imported when the
// first call comes.  The functions take and give JSON texts, may be called from any thread, and
// take the GIL themselves: the caller holds no lock.
struct HookTable {
  // name(request) -> reply
  HookOutcome (*call)(const std::string& function, const std::string& request, std::string* reply);
  // name(capsule, request) -> reply.  The capsule "ge.Graph" is empty once the call is over.
  HookOutcome (*call_with_graph)(const std::string& function, Graph* graph,
                                 const std::string& request, std::string* reply);
  // Makes the calling thread known to Python, so that its calls need not do it each; and forgets
  // what the first one returned.
  void* (*enter_thread)();
  void (*leave_thread)(void* state);
};

// How a loader ended; with all but kDone goes a text.
enum class HookLoaded : int {
  kDone = 0,
  kNotImported = 1,  // ge._hooks could not be imported
  kUnusable = 2,     // there is no Python that could be used: "PATH has no python3"
  kTooOld = 3,       // "3.9 /usr/bin/python3"
};

// Makes SetHooks be called, by importing ge._hooks.  Returns a HookLoaded, with its text, NUL at
// its end, in `reason`.
using HookLoader = int (*)(char* reason, size_t bytes);

namespace api {

// An interpreter is one per process, and so are these two: nothing else of the core is.  The loader
// runs once, when a compile first needs Python; without one such a compile fails.
GE_API void SetHookLoader(HookLoader loader);
GE_API void SetHooks(const HookTable* hooks);

}  // namespace api
}  // namespace ge
