#include "base/text.h"

namespace ge {

std::string Join(std::span<const std::string> items, std::string_view separator, size_t limit) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) {
    if (i == limit) return text + " and " + std::to_string(items.size() - limit) + " more";
    if (i != 0) text += separator;
    text += items[i];
  }
  return text;
}

}  // namespace ge
