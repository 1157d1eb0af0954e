#include "aclop/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

namespace ge::aclop {
namespace {

constexpr auto kPatience = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::milliseconds(1);

}  // namespace

Result<FolderLock> FolderLock::Take(const std::string& folder) {
  const std::string path = folder + "/op_cache.lock";
  const auto fail = [&](const char* reason) {
    return Error(ErrorId::kE13004, {{"file", path}, {"errmsg", reason}});
  };
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
  if (descriptor < 0) return fail(std::strerror(errno));
  FolderLock lock(descriptor);
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return fail(std::strerror(errno));
    if (std::chrono::steady_clock::now() > end) return fail("another process has it locked");
    std::this_thread::sleep_for(kPause);
  }
  return lock;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FolderLock::~FolderLock() {
  if (descriptor_ < 0) return;
  ::flock(descriptor_, LOCK_UN);  // a copy in a forked process would keep it
  ::close(descriptor_);
}

}  // namespace ge::aclop
