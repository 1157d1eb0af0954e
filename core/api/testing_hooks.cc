#include "api/testing_hooks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "hooks/operator_request.h"
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

Status StoresAsJson(const std::string& custom_operators, const std::string& operators,
                    const std::string& soc_version, std::string* json) {
  HookPaths paths;
  paths.custom_operators = custom_operators;
  paths.operators = operators;
  GE_ASSIGN(const hooks::OperatorStores stores,
            hooks::OperatorStores::Open(paths, hooks::FamilyOf(soc_version)));
  nlohmann::json rows = nlohmann::json::array(), warnings = nlohmann::json::array();
  for (const hooks::OperatorInfo* info : stores.All()) {
    rows.push_back({{"type", info->type},
                    {"file", info->file},
                    {"folder", info->folder},
                    {"module", info->module},
                    {"function", info->function},
                    {"priority", info->priority}});
  }
  for (const Problem& warning : stores.warnings()) warnings.push_back(warning.message);
  *json = nlohmann::json{{"operators", rows}, {"warnings", warnings}}.dump();
  return Status::Ok();
}

}  // namespace ge::api
