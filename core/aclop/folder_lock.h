#pragma once

#include <string>

#include "base/status.h"

namespace ge::aclop {

// The right to write to a folder of the operator cache, until destruction or the end of the
// process.
class FolderLock {
 public:
  // Waits a few seconds at most: who has the lock may have been suspended.
  static Result<FolderLock> Take(const std::string& folder);
  FolderLock(FolderLock&& other) noexcept;
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace ge::aclop
