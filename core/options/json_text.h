#pragma once

#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ge {

// A JSON file of a user.  Of a key that stands in an object twice the parser keeps the last value;
// such keys are listed.
struct JsonText {
  nlohmann::ordered_json root;
  std::optional<size_t> fault_byte;  // where the text is no JSON
  std::vector<std::string> repeated_keys;
};

JsonText ReadJsonText(std::istream& text);

}  // namespace ge
