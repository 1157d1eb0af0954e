#include "options/soc_name.h"

namespace ge {

std::optional<SocInfo> FindSoc(std::string_view name) {
  if (name == "Ascend910") name = "Ascend910A";
  for (SocInfo& soc : api::AllSocs()) {
    if (soc.name == name) return std::move(soc);
  }
  return std::nullopt;
}

std::string MembersOf(std::string_view family) {
  std::string members;
  for (const SocInfo& soc : api::AllSocs()) {
    if (soc.family == family) members += (members.empty() ? "[" : " [") + soc.name + "]";
  }
  return members;
}

}  // namespace ge
