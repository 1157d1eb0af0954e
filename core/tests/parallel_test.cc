// ParallelFor with bodies that throw, on the built-in pool and on a replacement.  Prints what is
// wrong (tests/base/test_parallel.py builds and runs it).
#include "base/parallel.h"

#include <atomic>
#include <cstdio>
#include <new>
#include <thread>
#include <vector>

namespace ge {
namespace {

int faults = 0;

void Check(bool right, const char* what) {
  if (right) return;
  ++faults;
  std::printf("%s\n", what);
}

// A thread per piece: what a piece throws would end the process.
void OnThreads(int, int64_t pieces, void (*piece)(const void*, int64_t), const void* body) {
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < pieces; ++i) threads.emplace_back(piece, body, i);
  for (std::thread& thread : threads) thread.join();
}

void TestThrowing() {
  const ThreadScope scope(4);
  for (int64_t thrower = 0; thrower < 1000; thrower += 37) {
    bool caught = false;
    try {
      ParallelFor(1000, 1, [&](int64_t begin, int64_t end) {
        if (begin <= thrower && thrower < end) throw std::bad_alloc();
      });
    } catch (const std::bad_alloc&) {
      caught = true;
    }
    Check(caught, "what one body throws does not arrive");
  }
  bool caught = false;
  try {
    ParallelFor(1000, 1, [](int64_t, int64_t) { throw std::bad_alloc(); });
  } catch (const std::bad_alloc&) {
    caught = true;
  }
  Check(caught, "what all bodies throw does not arrive");
  // The threads are as good as before.
  std::atomic<int64_t> sum = 0;
  ParallelFor(1000, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) sum += i;
  });
  Check(sum == 499500, "later work is not done in full");
}

}  // namespace
}  // namespace ge

int main() {
  ge::TestThrowing();
  ge::SetRunPieces(ge::OnThreads);
  ge::TestThrowing();
  return ge::faults == 0 ? 0 : 1;
}
