#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "aclop/options.h"
#include "base/atomic_file.h"

namespace ge::aclop {

enum class CacheMode : uint8_t { kOff, kOn, kRenew };

// Which folder operators are kept in, and how, by the options and the environment.
struct CacheSettings {
  CacheMode mode = CacheMode::kOff;
  std::string folder;
};
CacheSettings CacheSettingsOf(const CompileOptions& options);
// By the words of op_compiler_cache_mode, op_compiler_cache_dir and op_debug_level.
CacheSettings CacheSettingsOf(const std::string& mode, const std::string& folder,
                              const std::string& debug_level);

// The bytes of a kept operator.
struct CachedBytes {
  std::shared_ptr<const uint8_t> memory;
  std::span<const uint8_t> model;
};

// Compiled operators in folders that processes share, a file per operator:
//
//   model     an OM file
//   key       of CacheKeyOf
//   Footer    sizes, digest, mark
//
// A file is named after the digest of its key, appears complete, and is copied before it is looked
// at.  What is not exactly a file of this key is no operator.  Writers take turns by a lock on a
// file in the folder, which ends with the process that has it; readers need none.
//
// The time of a file is that of its last use.  The folder is looked through for files to remove
// when this process has written first, and again for every 1/16 of the limit that it has written.
class OpCache {
 public:
  // Notes the use.
  std::optional<CachedBytes> Find(const std::string& folder, std::string_view key) const;

  // Keeps what `write` appends to a file, unless the operator is there; with `renew` it is
  // replaced.  When that fails, a warning comes back, and nothing more is kept in this folder by
  // this process.
  using WriteFn = std::function<Status(AtomicFile& file)>;
  std::optional<std::string> Store(const std::string& folder, std::string_view key, bool renew,
                                   const WriteFn& write);

 private:
  struct Folder {
    bool failed = false;
    uint64_t limit = 0;    // bytes, when it was last looked through
    uint64_t written = 0;  // bytes since then
  };

  Status StoreIn(const std::string& path, std::string_view key, bool renew, const WriteFn& write,
                 Folder& state);

  std::mutex mutex_;
  std::unordered_map<std::string, Folder> folders_;
};

}  // namespace ge::aclop
