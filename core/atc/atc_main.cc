// The native program atc.

#include <malloc.h>

#include <climits>

#include "api/hooks.h"
#include "atc/embedded_python.h"
#include "atc/main_impl.h"

namespace {

// The process ends after one compile, so memory need not go back to the system in between, nor be
// joined into larger pieces again and again: some percent of the time of 100,000 nodes.
void TuneAllocator() {
#ifdef __GLIBC__
  constexpr int kStep = 64 << 20;  // of address space; pages are taken when they are written
  mallopt(M_TOP_PAD, kStep);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_MXFAST, 0);
#endif
}

}  // namespace

int main(int argc, char* argv[]) {
  TuneAllocator();
  ge::api::SetHookLoader(ge::LoadEmbeddedPython);
  const int status = ge::main_impl(argc, argv);
  ge::EndEmbeddedPython();
  return status;
}
