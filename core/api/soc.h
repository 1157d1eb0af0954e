#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/export.h"

namespace ge {

struct SocInfo {
  std::string name;    // "Ascend310P3"
  std::string family;  // "Ascend310P"
  int64_t ai_cores = 0;
  std::vector<int64_t> virtual_types;  // core counts that --virtual_type=1 can serve; may be empty
  bool has_bf16 = false;               // its vector unit converts it
  bool has_hif8 = false;               // its cube unit loads it
};

namespace api {

// All SoCs, sorted by name.
GE_API std::vector<SocInfo> AllSocs();
// Ascend910 stands for Ascend910A, as in ATC.
GE_API std::optional<SocInfo> FindSoc(std::string_view name);
// The row of the SoC in tables/socs.json; its units, instructions with their data types, may be
// those of another SoC.  Empty when there is none of that name.
GE_API std::string SocAsJson(const std::string& name);

}  // namespace api
}  // namespace ge
