#include "options/soc_name.h"

namespace ge {

std::string MembersOf(std::string_view family) {
  std::string members;
  for (const SocInfo& soc : api::AllSocs()) {
    if (soc.family == family) members += (members.empty() ? "[" : " [") + soc.name + "]";
  }
  return members;
}

}  // namespace ge
