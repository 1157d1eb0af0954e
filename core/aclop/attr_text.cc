#include <cstdio>

#include "api/aclop_desc.h"

namespace ge::api {
namespace {

struct ToText {
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(uint8_t value) const { return (*this)(value != 0); }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(float value) const {
    char text[32];
    std::snprintf(text, sizeof(text), "%g", static_cast<double>(value));
    return text;
  }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(OpDtype value) const { return std::to_string(value.number); }
  template <typename T>
  std::string operator()(const std::vector<T>& values) const {
    std::string text = "[";
    for (const T& value : values) {
      if (text.size() > 1) text += ", ";
      text += (*this)(value);
    }
    return text + "]";
  }
};

}  // namespace

std::string AclAttrsText(const OpAttrs& attrs) {
  std::string text = "{";
  for (const auto& [name, value] : attrs.values()) {
    if (text.size() > 1) text += ", ";
    text += name + " = " + std::visit(ToText(), value);
  }
  return text + "}";
}

}  // namespace ge::api
