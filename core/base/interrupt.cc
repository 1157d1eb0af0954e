#include "base/interrupt.h"

#include <csignal>

namespace ge {
namespace {

// A signal handler has no other way to its data.
std::atomic<bool> g_interrupted = false;
struct sigaction g_previous;

static_assert(std::atomic<bool>::is_always_lock_free);  // so that a handler may set it

void OnInterrupt(int) {
  g_interrupted = true;
  ::sigaction(SIGINT, &g_previous, nullptr);
}

bool IsOurs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == OnInterrupt;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  struct sigaction current;
  ::sigaction(SIGINT, nullptr, &current);
  if (IsOurs(current)) return;
  g_interrupted = false;
  const bool ignored = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_IGN;
  if (ignored) return;
  g_previous = current;
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  action.sa_flags = SA_RESTART;  // a write that is under way shall not fail
  ::sigemptyset(&action.sa_mask);
  installed_ = ::sigaction(SIGINT, &action, nullptr) == 0;
}

InterruptWatch::~InterruptWatch() {
  if (!installed_) return;
  struct sigaction current;
  ::sigaction(SIGINT, nullptr, &current);
  if (IsOurs(current)) ::sigaction(SIGINT, &g_previous, nullptr);
}

const std::atomic<bool>* InterruptWatch::flag() const {
  return &g_interrupted;
}

}  // namespace ge
