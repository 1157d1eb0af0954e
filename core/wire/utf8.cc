#include "wire/utf8.h"

#include <cstdint>
#include <cstring>

namespace ge::wire {

size_t PlainPrefix(std::string_view text) {
  const auto is_plain = [](uint8_t byte) {
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
  };
  // Eight bytes at once: a bit 7 is set where a byte is not plain, and maybe behind it.
  constexpr uint64_t kOnes = 0x0101010101010101, kHigh = 0x80 * kOnes;
  const auto is_zero = [](uint64_t bytes) { return (bytes - kOnes) & ~bytes & kHigh; };
  size_t at = 0;
  for (uint64_t bytes; at + sizeof(bytes) <= text.size(); at += sizeof(bytes)) {
    std::memcpy(&bytes, text.data() + at, sizeof(bytes));
    const uint64_t is_low = (bytes - 0x20 * kOnes) & ~bytes;
    if (((bytes | is_low) & kHigh) != 0) break;
    if ((is_zero(bytes ^ ('"' * kOnes)) | is_zero(bytes ^ ('\\' * kOnes))) != 0) break;
  }
  while (at < text.size() && is_plain(static_cast<uint8_t>(text[at]))) ++at;
  return at;
}

}  // namespace ge::wire
