#pragma once

#include <sys/types.h>

namespace ge {

// The system calls of AtomicFile.  A test hands in a copy in which the n-th call fails.
struct Syscalls {
  int (*open)(const char* path, int flags, mode_t mode);
  ssize_t (*write)(int descriptor, const void* bytes, size_t size);
  ssize_t (*copy_file_range)(int in, off_t* in_offset, int out, off_t* out_offset, size_t size,
                             unsigned flags);
  ssize_t (*sendfile)(int out, int in, off_t* in_offset, size_t size);
  int (*linkat)(int from_folder, const char* from, int to_folder, const char* to, int flags);
  int (*rename)(const char* from, const char* to);
  int (*exchange)(const char* a, const char* b);  // swaps two names, both must exist
  int (*unlink)(const char* path);
  int (*dup)(int descriptor);
  int (*close)(int descriptor);
};

extern const Syscalls kSyscalls;  // those of the C library

}  // namespace ge
