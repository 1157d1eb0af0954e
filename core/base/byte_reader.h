#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace ge {

// Takes values off the front of a range of bytes, little endian.  Once a value does not fit, it
// and everything after it read as zero or empty, and ok() is false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  size_t rest() const { return rest_.size(); }

  template <typename T>
  T Read() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const std::span<const uint8_t> bytes = ReadBytes(sizeof(T));
    if (ok_) std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

  std::span<const uint8_t> ReadBytes(uint64_t size) {
    if (!ok_ || size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::span<const uint8_t> bytes = rest_.first(size);
    rest_ = rest_.subspan(size);
    return bytes;
  }

  std::string_view ReadText(uint64_t size) {
    const std::span<const uint8_t> bytes = ReadBytes(size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

 private:
  std::span<const uint8_t> rest_;
  bool ok_ = true;
};

}  // namespace ge
