#include "options/json_text.h"

#include <algorithm>

namespace ge {

JsonText ReadJsonText(std::istream& text) {
  using Json = nlohmann::ordered_json;
  using Event = Json::parse_event_t;
  JsonText result;
  std::vector<std::vector<std::string>> open;  // keys of the objects that are being read
  const auto note_key = [&](const std::string& key) {
    std::vector<std::string>& keys = open.back();
    const bool is_known = std::find(keys.begin(), keys.end(), key) != keys.end();
    (is_known ? result.repeated_keys : keys).push_back(key);
  };
  try {
    result.root = Json::parse(text, [&](int /*depth*/, Event event, const Json& parsed) {
      if (event == Event::object_start) open.emplace_back();
      if (event == Event::object_end) open.pop_back();
      if (event == Event::key) note_key(parsed.get<std::string>());
      return true;
    });
  } catch (const Json::parse_error& error) {
    result.fault_byte = error.byte;
  }
  return result;
}

}  // namespace ge
