#pragma once

#include <cstdint>
#include <type_traits>

namespace ge {

// How many threads work on the current run: 1 outside of a ThreadScope.
int ThreadCount();

// Sets ThreadCount() for this thread while it lives.  Scopes nest.
class ThreadScope {
 public:
  explicit ThreadScope(int threads);
  ~ThreadScope();
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int outer_;
};

// Calls piece(body, i) for each i in [0, pieces) on up to `threads` threads, this one included, and
// returns when all are done.
using RunPiecesFn = void (*)(int threads, int64_t pieces,
                             void (*piece)(const void* body, int64_t i), const void* body);
// Replaces the built-in pool, so that a library with threads of its own shares them.
void SetRunPieces(RunPiecesFn run);

namespace internal {
void RunPieces(int threads, int64_t pieces, void (*piece)(const void*, int64_t), const void* body);
}  // namespace internal

// Calls body(begin, end) for disjoint ranges that cover [0, count), on ThreadCount() threads;
// ranges have at least `grain` items, so less work than that stays on this thread.  Results must
// not depend on how the range is cut.  What a body throws is thrown here, once all threads are
// done; ranges that were not begun then are left out.
template <typename Body>
void ParallelFor(int64_t count, int64_t grain, const Body& body) {
  const int64_t threads = ThreadCount();
  const int64_t most = grain <= 0 ? count : count / grain;
  if (threads <= 1 || most <= 1) {
    if (count > 0) body(int64_t{0}, count);
    return;
  }
  // A few pieces per thread even out threads of unequal speed.
  const int64_t pieces = most < threads * 4 ? most : threads * 4;
  struct Job {
    const Body& body;
    int64_t count, pieces;
  };
  const Job job{body, count, pieces};
  internal::RunPieces(
      static_cast<int>(threads), pieces,
      [](const void* opaque, int64_t i) {
        const Job& cut = *static_cast<const Job*>(opaque);
        cut.body(cut.count * i / cut.pieces, cut.count * (i + 1) / cut.pieces);
      },
      &job);
}

}  // namespace ge
