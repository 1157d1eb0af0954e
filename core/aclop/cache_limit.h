#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ge::aclop {

// How large the folder of the cache becomes, and what stays of it when it is larger.
struct CacheLimit {
  static constexpr uint64_t kNone = UINT64_MAX;
  uint64_t bytes = uint64_t{500} << 20;
  uint64_t remain_percent = 50;
};

// Of op_cache.ini in the folder, else of the environment, else the defaults; each number by itself.
// One that makes no sense counts as not given.
CacheLimit ReadCacheLimit(const std::string& folder);

// The name of an operator's file; other files in the folder are left alone.
std::string CacheFileName(std::string_view key);

// When the operators in the folder are larger than the limit, removes those that were used longest
// ago.  The caller has the lock of the folder.
void AgeCache(const std::string& folder, const CacheLimit& limit);

}  // namespace ge::aclop
