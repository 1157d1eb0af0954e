#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/file.h"
#include "base/status.h"
#include "base/syscalls.h"

namespace ge {

// A file that appears at its path complete or not at all.
//
// Bytes go to a file without a name in the target's folder (O_TMPFILE); Commit() gives it the
// name, replacing a file that is there in one step (the names are swapped).  An object that is
// destroyed without Commit leaves nothing behind, and neither does a process that is killed before
// Commit.  Where the file system has no nameless files, a hidden file `.ge-<pid>-<n>.tmp` stands in
// for it.
//
// A symbolic link to a file is followed; anything else that is not a regular file is refused.  The
// permissions are 0666 less the umask.  Nothing is flushed to the disk: after a power cut the file
// may be incomplete.
//
// Errors are E13004 with the path and errno's text.  After a failure only destruction is useful.
class AtomicFile {
 public:
  static Result<AtomicFile> Create(const std::string& path, const Syscalls& calls = kSyscalls);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  // Appends bytes.
  Status Write(std::span<const uint8_t> bytes);
  // Appends size bytes of `file` from `offset` on, inside the kernel where it can.  The range
  // must be inside file.bytes().
  Status CopyFrom(const MappedFile& file, uint64_t offset, uint64_t size);
  Status Commit();

  uint64_t size() const { return size_; }            // bytes appended so far
  int descriptor() const { return descriptor_; }     // readable, for a check before Commit
  const std::string& path() const { return path_; }  // as given to Create

 private:
  AtomicFile(const std::string& path, const Syscalls& calls) : path_(path), calls_(&calls) {}
  Status Fail(int error) const;
  Status OpenTemporary();
  Status OpenNamedTemporary();
  int LinkAs(const std::string& name) const;  // 0 or an errno value

  std::string path_;
  const Syscalls* calls_;
  std::string target_;     // path_ with symbolic links resolved
  std::string temporary_;  // name of the hidden file; empty for a nameless one
  int descriptor_ = -1;
  uint64_t size_ = 0;
};

}  // namespace ge
