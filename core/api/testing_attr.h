#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ir/attr.h"

namespace ge::api {

// An attribute of a node that a test describes as JSON; a list holds integers.
inline Attr AttrOf(const nlohmann::ordered_json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<int64_t>();
  if (json.is_number()) return json.get<float>();
  if (json.is_string()) return json.get<std::string>();
  return json.get<std::vector<int64_t>>();
}

}  // namespace ge::api
