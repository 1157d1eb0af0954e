#include "hooks/python.h"

#include <array>
#include <atomic>

namespace ge {
namespace {

std::atomic<HookLoader> g_loader = nullptr;
std::atomic<const HookTable*> g_hooks = nullptr;

}  // namespace

void api::SetHookLoader(HookLoader loader) {
  g_loader = loader;
}

void api::SetHooks(const HookTable* hooks) {
  g_hooks = hooks;
}

namespace hooks {

Status LoadPython(std::string_view wanted_by) {
  if (g_hooks != nullptr) return Status::Ok();
  const HookLoader loader = g_loader;
  if (loader == nullptr) {
    return Error(ErrorId::kE40001, {{"env", wanted_by},
                                    {"situation", "this program runs no Python"},
                                    {"fix", "Use pyatc, ge.compile or ge.aclop, or unset it."}});
  }
  // No lock is held here: the loader waits for the GIL, and may run twice.
  std::array<char, 4096> reason{};
  const auto loaded = static_cast<HookLoaded>(loader(reason.data(), reason.size()));
  const std::string_view text = reason.data();
  if (loaded == HookLoaded::kUnusable) {
    return Error(ErrorId::kE40001,
                 {{"env", wanted_by},
                  {"situation", text},
                  {"fix",
                   "Use pyatc, which runs in the Python that starts it, or put another "
                   "python3 first on PATH."}});
  }
  if (loaded == HookLoaded::kTooOld) {
    const size_t blank = text.find(' ');
    return Error(ErrorId::kE40002, {{"currentVersion", text.substr(0, blank)},
                                    {"interpreter", text.substr(blank + 1)},
                                    {"supportVersion", "3.11"}});
  }
  if (loaded != HookLoaded::kDone || g_hooks == nullptr) {
    return Error(ErrorId::kE40020, {{"module", "ge._hooks"}, {"reason", reason.data()}});
  }
  return Status::Ok();
}

HookOutcome Call(const std::string& function, const std::string& request, std::string* reply) {
  return g_hooks.load()->call(function, request, reply);
}

HookOutcome CallWithGraph(const std::string& function, Graph& graph, const std::string& request,
                          std::string* reply) {
  return g_hooks.load()->call_with_graph(function, &graph, request, reply);
}

PythonThread::PythonThread() : state_(g_hooks.load()->enter_thread()) {}

PythonThread::~PythonThread() {
  g_hooks.load()->leave_thread(state_);
}

std::string ReasonOf(const HookOutcome& outcome) {
  std::string reason = outcome.error;
  if (outcome.kind == HookOutcome::Kind::kExit) {
    reason += ": a hook must not end the program";
  }
  reason += "\ninterpreter: " + outcome.interpreter;
  if (!outcome.traceback.empty()) reason += "\n" + outcome.traceback;
  return reason;
}

Status StatusOf(const HookOutcome& outcome, std::string_view function) {
  const std::string_view module = function.substr(0, function.find(':'));
  switch (outcome.kind) {
    case HookOutcome::Kind::kDone:
      return Status::Ok();
    case HookOutcome::Kind::kInterrupted:
      return Error(ErrorId::kInterrupted, {});
    case HookOutcome::Kind::kNoModule:
      return Error(ErrorId::kE40020, {{"module", module}, {"reason", ReasonOf(outcome)}});
    case HookOutcome::Kind::kRaised:
    case HookOutcome::Kind::kExit:
      break;
  }
  return Error(ErrorId::kE40024, {{"function", function}, {"reason", ReasonOf(outcome)}});
}

}  // namespace hooks
}  // namespace ge
