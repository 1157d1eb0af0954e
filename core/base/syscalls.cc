#include "base/syscalls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <unistd.h>

namespace ge {

const Syscalls kSyscalls = {
    .open = [](const char* path, int flags, mode_t mode) { return ::open(path, flags, mode); },
    .write = ::write,
    .copy_file_range = ::copy_file_range,
    .sendfile = ::sendfile,
    .linkat = ::linkat,
    .rename = ::rename,
    .exchange =
        [](const char* a, const char* b) {
          return ::renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
        },
    .unlink = ::unlink,
    .dup = ::dup,
    .close = ::close,
};

}  // namespace ge
