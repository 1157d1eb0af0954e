#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ge {
namespace {

thread_local int thread_count = 1;
std::atomic<RunPiecesFn> replacement{nullptr};

// One job at a time; its pieces are taken one by one.  Workers start with the first job that
// wants them and sleep between jobs.
class Pool {
 public:
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  // False when the pool is busy with another job.
  bool Run(int threads, int64_t pieces, void (*piece)(const void*, int64_t), const void* body) {
    const std::unique_lock running(running_, std::try_to_lock);
    if (!running.owns_lock()) return false;
    {
      const std::lock_guard lock(mutex_);
      try {
        while (static_cast<int>(workers_.size()) < threads - 1) {
          workers_.emplace_back([this] { Work(); });
        }
      } catch (const std::exception&) {
        // No more threads or memory: those that are there do the work.
      }
      piece_ = piece;
      body_ = body;
      pieces_ = pieces;
      next_.store(0);
      helpers_wanted_ = static_cast<int>(std::min<int64_t>(threads, pieces)) - 1;
    }
    wake_.notify_all();
    TakePieces();
    std::unique_lock lock(mutex_);
    helpers_wanted_ = 0;  // who did not come yet is not needed any more
    done_.wait(lock, [this] { return helping_ == 0; });
    return true;
  }

 private:
  void TakePieces() {
    for (int64_t i = next_.fetch_add(1); i < pieces_; i = next_.fetch_add(1)) piece_(body_, i);
  }

  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [this] { return stop_ || helpers_wanted_ > 0; });
      if (stop_) return;
      --helpers_wanted_;
      ++helping_;
      lock.unlock();
      TakePieces();
      lock.lock();
      if (--helping_ == 0) done_.notify_one();
    }
  }

  std::mutex running_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> workers_;
  int helpers_wanted_ = 0, helping_ = 0;
  bool stop_ = false;
  void (*piece_)(const void*, int64_t) = nullptr;
  const void* body_ = nullptr;
  int64_t pieces_ = 0;
  std::atomic<int64_t> next_{0};
};

// What an exception must not leave: a thread of the pool or of the library that replaces it.
struct Caught {
  void (*piece)(const void*, int64_t);
  const void* body;
  std::atomic<bool> failed = false;
  std::exception_ptr first = nullptr;

  static void Run(const void* opaque, int64_t i) {
    Caught& caught = *static_cast<Caught*>(const_cast<void*>(opaque));
    if (caught.failed.load(std::memory_order_relaxed)) return;  // the result is lost anyway
    try {
      caught.piece(caught.body, i);
    } catch (...) {
      if (!caught.failed.exchange(true)) caught.first = std::current_exception();
    }
  }
};

}  // namespace

int ThreadCount() {
  return thread_count;
}

ThreadScope::ThreadScope(int threads) : outer_(thread_count) {
  thread_count = threads;
}

ThreadScope::~ThreadScope() {
  thread_count = outer_;
}

void SetRunPieces(RunPiecesFn run) {
  replacement.store(run);
}

namespace internal {

void RunPieces(int threads, int64_t pieces, void (*piece)(const void*, int64_t), const void* body) {
  Caught caught{piece, body};
  if (const RunPiecesFn run = replacement.load()) {
    run(threads, pieces, &Caught::Run, &caught);
  } else {
    static Pool pool;
    if (!pool.Run(threads, pieces, &Caught::Run, &caught)) {
      for (int64_t i = 0; i < pieces; ++i) Caught::Run(&caught, i);
    }
  }
  if (caught.first) std::rethrow_exception(caught.first);
}

}  // namespace internal
}  // namespace ge
