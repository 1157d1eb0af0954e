#include "backend/host/threads.h"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace ge::host {

int CpuCount() {
  cpu_set_t cpus;
  return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 ? std::max(1, CPU_COUNT(&cpus)) : 1;
}

int RunThreads(int wanted, int cpus) {
  constexpr int kAlwaysAllowed = 64;
  if (const char* text = std::getenv("GE_NUM_THREADS"); text != nullptr && wanted <= 0) {
    const char* end = text + std::strlen(text);
    if (std::from_chars(text, end, wanted).ptr != end) wanted = 0;
  }
  return wanted <= 0 ? cpus : std::min(wanted, std::max(cpus, kAlwaysAllowed));
}

}  // namespace ge::host
