#pragma once

#include <omp.h>

#include <atomic>
#include <cstdint>

#include "base/parallel.h"

namespace ge::onednn {

// The number of threads that primitives made or run on this thread use, while it lives.
class OmpThreads {
 public:
  explicit OmpThreads(int threads) : outer_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~OmpThreads() { omp_set_num_threads(outer_); }
  OmpThreads(const OmpThreads&) = delete;
  OmpThreads& operator=(const OmpThreads&) = delete;

 private:
  int outer_;
};

// A RunPiecesFn on OpenMP's threads.
inline void RunPieces(int threads, int64_t pieces, void (*piece)(const void*, int64_t),
                      const void* body) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
  for (int64_t i = 0; i < pieces; ++i) piece(body, i);
}

// Runs body(i) for all i below `count`, each on one thread; false when one of them was.
template <typename Body>
bool AllOf(int threads, int64_t count, const Body& body) {
  std::atomic<bool> all = true;
  struct Job {
    const Body& body;
    std::atomic<bool>& all;
  };
  const Job job = {body, all};
  RunPieces(
      threads, count,
      [](const void* opaque, int64_t i) {
        const Job& call = *static_cast<const Job*>(opaque);
        const OmpThreads scope(1);
        if (!call.body(i)) call.all = false;
      },
      &job);
  return all;
}

}  // namespace ge::onednn
