#include "wire/utf8.h"

#include <cstdint>

namespace ge::wire {

size_t PlainPrefix(std::string_view text) {
  const auto is_plain = [](uint8_t byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
  };
  size_t at = 0;
  while (at < text.size() && is_plain(static_cast<uint8_t>(text[at]))) ++at;
  return at;
}

}  // namespace ge::wire
