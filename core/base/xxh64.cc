// XXH64 after its specification (xxHash fast digest algorithm, version 0.1.1): four lanes of 64
// bits take 32 bytes a round, the rest goes in by 8, 4 and 1 bytes.
#include "base/xxh64.h"

#include <bit>
#include <cstring>

namespace ge {
namespace {

constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87, kPrime2 = 0xC2B2AE3D27D4EB4F,
                   kPrime3 = 0x165667B19E3779F9, kPrime4 = 0x85EBCA77C2B2AE63,
                   kPrime5 = 0x27D4EB2F165667C5;

template <typename T>
uint64_t Take(std::string_view& bytes) {
  T number;  // little endian
  std::memcpy(&number, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return number;
}

uint64_t Round(uint64_t lane, uint64_t input) {
  return std::rotl(lane + input * kPrime2, 31) * kPrime1;
}

uint64_t Merge(uint64_t hash, uint64_t lane) {
  return (hash ^ Round(0, lane)) * kPrime1 + kPrime4;
}

uint64_t Digest(std::string_view bytes) {
  const uint64_t size = bytes.size();
  uint64_t hash = kPrime5;
  if (size >= 32) {
    uint64_t lanes[] = {kPrime1 + kPrime2, kPrime2, 0, 0 - kPrime1};
    while (bytes.size() >= 32) {
      for (uint64_t& lane : lanes) lane = Round(lane, Take<uint64_t>(bytes));
    }
    hash = std::rotl(lanes[0], 1) + std::rotl(lanes[1], 7) + std::rotl(lanes[2], 12) +
           std::rotl(lanes[3], 18);
    for (const uint64_t lane : lanes) hash = Merge(hash, lane);
  }
  hash += size;
  while (bytes.size() >= 8) {
    hash = std::rotl(hash ^ Round(0, Take<uint64_t>(bytes)), 27) * kPrime1 + kPrime4;
  }
  if (bytes.size() >= 4) {
    hash = std::rotl(hash ^ (Take<uint32_t>(bytes) * kPrime1), 23) * kPrime2 + kPrime3;
  }
  while (!bytes.empty()) {
    hash = std::rotl(hash ^ (Take<uint8_t>(bytes) * kPrime5), 11) * kPrime1;
  }
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

}  // namespace

std::string Xxh64(std::string_view bytes) {
  const uint64_t hash = Digest(bytes);
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 15];
  return text;
}

}  // namespace ge
