#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace ge {
namespace {

constexpr mode_t kMode = 0666;
constexpr int kMaxNames = 1000;                        // tries for a free temporary name
constexpr uint64_t kMaxCopyBytes = uint64_t{1} << 28;  // per call, so that signals get their turn

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string TemporaryName(const std::string& target, int attempt) {
  return FolderOf(target) + "/.ge-" + std::to_string(::getpid()) + "-" + std::to_string(attempt) +
         ".tmp";
}

// Errors of copy_file_range and sendfile that say "not between these two files".
bool IsUnsupported(int error) {
  return error == EXDEV || error == EINVAL || error == ENOSYS || error == EOPNOTSUPP ||
         error == EPERM || error == ETXTBSY || error == EOVERFLOW;
}

}  // namespace

Status AtomicFile::Fail(int error) const {
  return Error(ErrorId::kE13004, {{"file", path_}, {"errmsg", std::strerror(error)}});
}

Result<AtomicFile> AtomicFile::Create(const std::string& path, const Syscalls& calls) {
  AtomicFile file(path, calls);
  file.target_ = path;
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (!S_ISREG(info.st_mode)) {
      return Error(ErrorId::kE13004, {{"file", path}, {"errmsg", "it is not a regular file"}});
    }
    char* resolved = ::realpath(path.c_str(), nullptr);
    if (resolved == nullptr) return file.Fail(errno);
    file.target_ = resolved;
    std::free(resolved);
  }
  GE_TRY(file.OpenTemporary());
  return file;
}

Status AtomicFile::OpenTemporary() {
  do {
    descriptor_ = calls_->open(FolderOf(target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kMode);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ >= 0) return Status::Ok();
  // EISDIR: a kernel, or an emulation of one, that does not know the flag.
  if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL) return Fail(errno);
  return OpenNamedTemporary();
}

Status AtomicFile::OpenNamedTemporary() {
  for (int attempt = 0; attempt < kMaxNames; ++attempt) {
    const std::string name = TemporaryName(target_, attempt);
    descriptor_ = calls_->open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, kMode);
    if (descriptor_ >= 0) {
      temporary_ = name;
      return Status::Ok();
    }
    if (errno != EEXIST && errno != EINTR) break;
  }
  return Fail(errno);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      calls_(other.calls_),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) calls_->close(descriptor_);
  if (!temporary_.empty()) calls_->unlink(temporary_.c_str());
}

Status AtomicFile::Write(std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = calls_->write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return Fail(errno);
    }
    bytes = bytes.subspan(static_cast<size_t>(written));
    size_ += static_cast<uint64_t>(written);
  }
  return Status::Ok();
}

Status AtomicFile::CopyFrom(const MappedFile& file, uint64_t offset, uint64_t size) {
  enum { kCopyFileRange, kSendfile, kWrite } way = kCopyFileRange;
  off_t at = static_cast<off_t>(offset);
  const off_t end = static_cast<off_t>(offset + size);
  while (at < end && way != kWrite) {
    const size_t rest = std::min(static_cast<uint64_t>(end - at), kMaxCopyBytes);
    // Both calls advance `at`.
    const ssize_t copied =
        way == kCopyFileRange
            ? calls_->copy_file_range(file.descriptor(), &at, descriptor_, nullptr, rest, 0)
            : calls_->sendfile(descriptor_, file.descriptor(), &at, rest);
    if (copied > 0) {
      size_ += static_cast<uint64_t>(copied);
    } else if (copied == 0 || IsUnsupported(errno)) {
      way = way == kCopyFileRange ? kSendfile : kWrite;
    } else if (errno != EINTR) {
      return Fail(errno);
    }
  }
  // A source that became shorter meanwhile ends here: write() answers EFAULT for its lost pages.
  return Write(file.bytes().subspan(static_cast<size_t>(at), static_cast<size_t>(end - at)));
}

int AtomicFile::LinkAs(const std::string& name) const {
  const std::string self = "/proc/self/fd/" + std::to_string(descriptor_);
  if (calls_->linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
    return 0;
  }
  // Without /proc the privileged form is left.
  if (errno == ENOENT &&
      calls_->linkat(descriptor_, "", AT_FDCWD, name.c_str(), AT_EMPTY_PATH) == 0) {
    return 0;
  }
  return errno;
}

Status AtomicFile::Commit() {
  // Closing any descriptor of the file makes a network file system report its late errors.
  const int copy = calls_->dup(descriptor_);
  if (copy < 0 || calls_->close(copy) != 0) return Fail(errno);
  if (temporary_.empty()) {
    int error = LinkAs(target_);
    if (error == 0) return Status::Ok();
    for (int attempt = 0; error == EEXIST && attempt < kMaxNames; ++attempt) {
      const std::string name = TemporaryName(target_, attempt);
      error = LinkAs(name);
      if (error == 0) temporary_ = name;
    }
    if (error != 0) return Fail(error);
  }
  // Swapped, not renamed over: ext4 makes a rename over a file wait until the new blocks are
  // allocated and on their way to the disk, which takes longer than writing them did.
  if (calls_->exchange(temporary_.c_str(), target_.c_str()) == 0) {
    const bool removed = calls_->unlink(temporary_.c_str()) == 0;
    temporary_.clear();
    return removed ? Status::Ok() : Fail(errno);
  }
  if (errno != ENOENT && errno != EINVAL && errno != ENOSYS) return Fail(errno);
  if (calls_->rename(temporary_.c_str(), target_.c_str()) != 0) return Fail(errno);
  temporary_.clear();
  return Status::Ok();
}

}  // namespace ge
