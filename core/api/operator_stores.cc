#include "api/operator_stores.h"

#include <nlohmann/json.hpp>

#include "hooks/operator_stores.h"

namespace ge::api {

Status OperatorStoresAsJson(const HookPaths& paths, const std::string& soc_family,
                            std::string* json) {
  GE_ASSIGN(const hooks::OperatorStores stores, hooks::OperatorStores::Open(paths, soc_family));
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
