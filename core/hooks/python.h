#pragma once

#include <string>
#include <string_view>

#include "api/hooks.h"
#include "base/status.h"

// The one way out to Python.  Nothing here is called unless a hook is configured.
namespace ge::hooks {

// Loads the hooks when they are not there yet.  `wanted_by` is what is configured, for the message
// of the failure: "ASCEND_GE_PY_PASS_PATH".
Status LoadPython(std::string_view wanted_by);

// Both need LoadPython before.
HookOutcome Call(const std::string& function, const std::string& request, std::string* reply);
HookOutcome CallWithGraph(const std::string& function, Graph& graph, const std::string& request,
                          std::string* reply);

// Of a native thread that calls Python often, for as long as it does.
class PythonThread {
 public:
  PythonThread();
  ~PythonThread();
  PythonThread(const PythonThread&) = delete;

 private:
  void* state_;
};

// The failure of a call that is of no single operator: E40020 for a module, E40024 for a function,
// kInterrupted after Ctrl-C.  Ok when the call was done.
Status StatusOf(const HookOutcome& outcome, std::string_view function);

// "<error>\n<interpreter and traceback>": the reason that messages about a failed call give.
std::string ReasonOf(const HookOutcome& outcome);

}  // namespace ge::hooks
