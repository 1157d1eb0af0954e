#include "base/utf8.h"

#include <cstdint>

namespace ge {

size_t Utf8SequenceBytes(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<uint8_t>(text[at]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  // The second byte has a narrower range after some leads (Unicode, table 3-7).
  uint8_t low = 0x80;
  uint8_t high = 0xbf;
  size_t size = 0;
  if (lead >= 0xc2 && lead <= 0xdf) {
    size = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    size = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    size = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  }
  if (size == 0 || text.size() < size) return 0;
  if (byte(1) < low || byte(1) > high) return 0;
  for (size_t at = 2; at < size; ++at) {
    if (byte(at) < 0x80 || byte(at) > 0xbf) return 0;
  }
  return size;
}

}  // namespace ge
