#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace ge::singleop {

// A JSON value that knows the line it stands on.
struct JsonValue {
  enum class Kind : uint8_t { kScalar, kList, kObject };

  Kind kind = Kind::kScalar;
  size_t line = 0;
  nlohmann::json scalar;                                   // of a scalar
  std::vector<JsonValue> items;                            // of a list
  std::vector<std::pair<std::string, JsonValue>> members;  // of an object, as they stand there

  bool is_list() const { return kind == Kind::kList; }
  bool is_object() const { return kind == Kind::kObject; }
  // `[5]`, `["text"]`, `a list`, for messages.
  std::string Described() const;
};

// The text as JSON has it, cut when it is long.
std::string Shown(const nlohmann::json& scalar);

// `path` is for messages.  E10025 says where the text stops being JSON.
Result<JsonValue> ParseJson(std::span<const uint8_t> text, const std::string& path);

}  // namespace ge::singleop
