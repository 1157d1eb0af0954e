// Makes each system call of AtomicFile fail in turn, and checks after each that nothing is left in
// the folder and that a file that was there is as it was.  Run with an empty folder; prints what
// is wrong (tests/base/test_atomic_file.py builds and runs it).
#include "base/atomic_file.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

namespace ge {
namespace {

namespace fs = std::filesystem;

int calls_left = 0;  // until the one that fails
bool nameless_files = true;
bool kernel_copies = true;
int faults = 0;

bool FailsNow(int error) {
  if (--calls_left != 0) return false;
  errno = error;
  return true;
}

int Open(const char* path, int flags, mode_t mode) {
  if (!nameless_files && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;
    return -1;
  }
  return FailsNow(EACCES) ? -1 : kSyscalls.open(path, flags, mode);
}

// Short writes are allowed, so every write is one.
ssize_t Write(int descriptor, const void* bytes, size_t size) {
  return FailsNow(ENOSPC) ? -1 : kSyscalls.write(descriptor, bytes, size > 3 ? size / 2 : size);
}

ssize_t CopyFileRange(int in, off_t* in_offset, int out, off_t* out_offset, size_t size,
                      unsigned flags) {
  if (!kernel_copies) {
    errno = EXDEV;
    return -1;
  }
  return FailsNow(ENOSPC)
             ? -1
             : kSyscalls.copy_file_range(in, in_offset, out, out_offset, size / 2 + 1, flags);
}

ssize_t Sendfile(int out, int in, off_t* in_offset, size_t size) {
  if (!kernel_copies) {
    errno = EINVAL;
    return -1;
  }
  return FailsNow(EIO) ? -1 : kSyscalls.sendfile(out, in, in_offset, size);
}

int Linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) {
  return FailsNow(EDQUOT) ? -1 : kSyscalls.linkat(from_folder, from, to_folder, to, flags);
}

int Rename(const char* from, const char* to) {
  return FailsNow(EIO) ? -1 : kSyscalls.rename(from, to);
}

int Exchange(const char* a, const char* b) {
  if (!kernel_copies) {  // a file system without it
    errno = EINVAL;
    return -1;
  }
  return FailsNow(EIO) ? -1 : kSyscalls.exchange(a, b);
}

int Dup(int descriptor) {
  return FailsNow(EMFILE) ? -1 : kSyscalls.dup(descriptor);
}

constexpr Syscalls kFailing = {.open = Open,
                               .write = Write,
                               .copy_file_range = CopyFileRange,
                               .sendfile = Sendfile,
                               .linkat = Linkat,
                               .rename = Rename,
                               .exchange = Exchange,
                               .unlink = ::unlink,
                               .dup = Dup,
                               .close = ::close};

std::string Read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> NamesIn(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

void Check(bool holds, const std::string& what) {
  if (holds) return;
  std::printf("%s\n", what.c_str());
  ++faults;
}

Status WriteFile(const std::string& path, const MappedFile& source) {
  GE_ASSIGN(AtomicFile file, AtomicFile::Create(path, kFailing));
  const std::string head = "head:";
  GE_TRY(file.Write({reinterpret_cast<const uint8_t*>(head.data()), head.size()}));
  GE_TRY(file.CopyFrom(source, 3, 1000));
  return file.Commit();
}

void FailEachCall(const fs::path& folder, const MappedFile& source, bool replaces) {
  const fs::path target = folder / "target";
  const std::string content =
      "head:" + std::string(reinterpret_cast<const char*>(source.bytes().data()) + 3, 1000);
  std::set<std::string> before = {"source"};
  for (int failing = 1;; ++failing) {
    const std::string where =
        "call " + std::to_string(failing) + (nameless_files ? "" : ", named temporary") +
        (kernel_copies ? "" : ", plain copy") + (replaces ? ", old file" : "");
    fs::remove(target);
    if (replaces) {
      std::ofstream(target) << "old";
      before.insert("target");
    }
    calls_left = failing;
    const Status status = WriteFile(target, source);
    if (status.ok()) {
      Check(calls_left > 0, where + ": a failed call went unnoticed");
      Check(Read(target) == content, where + ": wrong content");
      Check(NamesIn(folder) == std::set<std::string>{"source", "target"}, where + ": leftovers");
      Check(failing > 4, where + ": fewer calls than expected");
      return;
    }
    Check(status.id() == ErrorId::kE13004, where + ": wrong code");
    Check(NamesIn(folder) == before, where + ": leftovers");
    Check(!replaces || Read(target) == "old", where + ": the old file changed");
  }
}

int Run(const fs::path& folder) {
  std::string bytes;
  for (int i = 0; i < 2000; ++i) bytes += static_cast<char>(i * 7);
  std::ofstream(folder / "source", std::ios::binary) << bytes;
  const auto source = MappedFile::Open(folder / "source");
  if (!source.ok()) return 1;
  for (const bool nameless : {true, false}) {
    for (const bool copies : {true, false}) {
      nameless_files = nameless;
      kernel_copies = copies;
      FailEachCall(folder, **source, false);
      FailEachCall(folder, **source, true);
    }
  }
  return faults == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ge

int main(int argc, char** argv) {
  return argc == 2 ? ge::Run(argv[1]) : 2;
}
