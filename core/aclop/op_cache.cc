#include "aclop/op_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>

#include "aclop/cache_limit.h"
#include "aclop/folder_lock.h"
#include "base/xxh64.h"

namespace ge::aclop {
namespace {

constexpr std::align_val_t kModelAlign{64};  // constants in a model are aligned as in its file
constexpr uint64_t kLooksPerLimit = 16;

// The end of a file.  The digest is of all bytes before it.
struct Footer {
  uint64_t model_bytes = 0;
  uint64_t key_bytes = 0;
  char digest[16] = {};
  char mark[8] = {'p', 'y', 'a', 't', 'c', 'o', 'p', '1'};
};
static_assert(sizeof(Footer) == 40);
constexpr size_t kDigestBehind = sizeof(Footer) - offsetof(Footer, digest);

std::string EnvironmentText(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::span<const uint8_t> BytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string_view TextOf(const uint8_t* bytes, size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

bool ReadAt(int descriptor, uint64_t offset, void* to, size_t size) {
  for (auto* at = static_cast<char*>(to); size != 0;) {
    const ssize_t got = ::pread(descriptor, at, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<size_t>(got);
  }
  return true;
}

std::optional<CachedBytes> ReadFile(int descriptor, std::string_view key) {
  struct stat info;
  Footer footer;
  if (::fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  const auto size = static_cast<uint64_t>(info.st_size);
  const uint64_t behind = key.size() + sizeof(Footer);
  if (size < behind || !ReadAt(descriptor, size - sizeof(Footer), &footer, sizeof(Footer)) ||
      std::memcmp(footer.mark, Footer().mark, sizeof(footer.mark)) != 0 ||
      footer.key_bytes != key.size() || footer.model_bytes != size - behind) {
    return std::nullopt;
  }
  auto* const bytes = static_cast<uint8_t*>(::operator new(size, kModelAlign, std::nothrow));
  if (bytes == nullptr) return std::nullopt;
  CachedBytes read;
  read.memory = {bytes, [](const uint8_t* memory) {
                   ::operator delete(const_cast<uint8_t*>(memory), kModelAlign);
                 }};
  read.model = {bytes, footer.model_bytes};
  if (!ReadAt(descriptor, 0, bytes, size) ||
      TextOf(bytes + footer.model_bytes, key.size()) != key ||
      Xxh64(TextOf(bytes, size - kDigestBehind)) !=
          std::string_view(footer.digest, sizeof(footer.digest))) {
    return std::nullopt;
  }
  return read;
}

Status Fail(const std::string& path, int error) {
  return Error(ErrorId::kE13004, {{"file", path}, {"errmsg", std::strerror(error)}});
}

Status WriteBehindModel(AtomicFile& file, std::string_view key) {
  Footer footer;
  footer.model_bytes = file.size();
  footer.key_bytes = key.size();
  const auto bytes = TextOf(reinterpret_cast<const uint8_t*>(&footer), sizeof(footer));
  GE_TRY(file.Write(BytesOf(key)));
  GE_TRY(file.Write(BytesOf(bytes.substr(0, offsetof(Footer, digest)))));
  GE_ASSIGN(const std::shared_ptr<const MappedFile> written,
            MappedFile::Map(file.descriptor(), file.path()));
  const std::string digest = Xxh64(TextOf(written->bytes().data(), written->bytes().size()));
  std::memcpy(footer.digest, digest.data(), sizeof(footer.digest));
  return file.Write(BytesOf(bytes.substr(offsetof(Footer, digest))));
}

}  // namespace

CacheSettings CacheSettingsOf(const CompileOptions& options) {
  return CacheSettingsOf(options.Get(kCacheModeOpt).value_or(""),
                         options.Get(kCacheDirOpt).value_or(""),
                         options.Get(kDebugLevelOpt).value_or(""));
}

CacheSettings CacheSettingsOf(const std::string& mode, const std::string& folder,
                              const std::string& debug_level) {
  CacheSettings settings;
  if ((mode != "enable" && mode != "force") || std::atoi(debug_level.c_str()) != 0) return settings;
  settings.folder = folder;
  if (settings.folder.empty()) settings.folder = EnvironmentText("ASCEND_CACHE_PATH");
  const std::string home = EnvironmentText("HOME");
  if (settings.folder.empty() && !home.empty()) settings.folder = home + "/atc_data";
  if (settings.folder.empty()) return settings;
  settings.mode = mode == "force" ? CacheMode::kRenew : CacheMode::kOn;
  return settings;
}

std::optional<CachedBytes> OpCache::Find(const std::string& folder, std::string_view key) const {
  const std::string path = folder + "/" + CacheFileName(key);
  // What is not a regular file must not block.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (descriptor < 0) return std::nullopt;
  std::optional<CachedBytes> found = ReadFile(descriptor, key);
  if (found) ::futimens(descriptor, nullptr);  // fails where the folder is only read
  ::close(descriptor);
  return found;
}

Status OpCache::StoreIn(const std::string& folder, std::string_view key, bool renew,
                        const WriteFn& write, Folder& state) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return Fail(folder, error.value());
  GE_ASSIGN(const FolderLock lock, FolderLock::Take(folder));
  if (!renew && Find(folder, key)) return Status::Ok();  // of another process, meanwhile
  const std::string path = folder + "/" + CacheFileName(key);
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return Fail(path, errno);
  GE_ASSIGN(AtomicFile file, AtomicFile::Create(path));
  GE_TRY(write(file));
  GE_TRY(WriteBehindModel(file, key));
  const bool looks = state.written + file.size() >= state.limit / kLooksPerLimit;
  const CacheLimit limit = looks ? ReadCacheLimit(folder) : CacheLimit{.bytes = state.limit};
  if (file.size() > limit.bytes) return Status::Ok();
  GE_TRY(file.Commit());
  state.written += file.size();
  if (!looks) return Status::Ok();
  AgeCache(folder, limit);
  state.limit = limit.bytes;
  state.written = 0;
  return Status::Ok();
}

std::optional<std::string> OpCache::Store(const std::string& folder, std::string_view key,
                                          bool renew, const WriteFn& write) {
  const std::lock_guard lock(mutex_);
  Folder& state = folders_[folder];
  if (state.failed) return std::nullopt;
  const Status status = StoreIn(folder, key, renew, write, state);
  if (status.ok()) return std::nullopt;
  state.failed = true;
  return "compiled operators are not kept in the cache folder [" + folder +
         "]: " + status.problems().front().message;
}

}  // namespace ge::aclop
