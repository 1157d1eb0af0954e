#include "api/testing_hooks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "hooks/operator_stores.h"
#include "hooks/python.h"

namespace ge::api {

Status CallFromThreads(const std::string& function, int threads, int calls,
                       std::vector<std::string>* replies, int64_t* fastest_ns) {
  using Clock = std::chrono::steady_clock;
  GE_TRY(hooks::LoadPython("a test"));
  replies->assign(calls, "");
  std::atomic<int> next = 0;
  std::atomic<int64_t> fastest = INT64_MAX;
  const auto work = [&] {
    int64_t least = INT64_MAX;
    for (int call = next++; call < calls; call = next++) {
      std::string& reply = (*replies)[call];
      const std::string request = std::to_string(call);
      const auto begin = Clock::now();
      const HookOutcome outcome = hooks::Call(function, request, &reply);
      const auto nanoseconds =
          std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin);
      least = std::min<int64_t>(least, nanoseconds.count());
      if (outcome.kind != HookOutcome::Kind::kDone) {
        reply = std::to_string(static_cast<int>(outcome.kind)) + ": " + outcome.error;
      }
    }
    int64_t seen = fastest;
    while (least < seen && !fastest.compare_exchange_weak(seen, least)) {
    }
  };
  if (threads == 0) work();
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([&] {
      const hooks::PythonThread known;
      work();
    });
  }
  for (std::thread& worker : workers) worker.join();
  *fastest_ns = fastest;
  return Status::Ok();
}

std::string SnakeCaseOf(const std::string& type) {
  return hooks::SnakeCase(type);
}

}  // namespace ge::api
