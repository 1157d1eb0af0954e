#include "aclop/cache_limit.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "base/xxh64.h"

namespace ge::aclop {
namespace {

constexpr std::string_view kSection = "[op_compiler_cache]";
constexpr std::string_view kSuffix = ".op";
constexpr size_t kDigestDigits = 16;
constexpr int64_t kMostMegabytes = int64_t{1} << 40;
constexpr time_t kStaleSeconds = 3600;

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The lines NAME = VALUE of the section.
std::map<std::string, std::string> ReadIni(const std::string& path) {
  std::map<std::string, std::string> values;
  struct stat info;
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return values;
  std::ifstream file(path);
  bool inside = false;
  for (std::string whole; std::getline(file, whole);) {
    const std::string_view line = Trim(whole);
    if (line.starts_with('[')) inside = line == kSection;
    const size_t equals = line.find('=');
    if (!inside || equals == std::string_view::npos) continue;
    values[std::string(Trim(line.substr(0, equals)))] = Trim(line.substr(equals + 1));
  }
  return values;
}

std::optional<int64_t> NumberOf(std::string_view text, int64_t most, bool may_be_none) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const bool makes_sense = (number >= 1 && number <= most) || (may_be_none && number == -1);
  return makes_sense ? std::optional(number) : std::nullopt;
}

bool IsCacheFile(std::string_view name) {
  return name.size() == kDigestDigits + kSuffix.size() && name.ends_with(kSuffix) &&
         name.find_first_not_of("0123456789abcdef") == kDigestDigits;
}

// What AtomicFile leaves behind where it has to name its file and is killed.
bool IsTemporary(std::string_view name) {
  return name.starts_with(".ge-") && name.ends_with(".tmp");
}

}  // namespace

CacheLimit ReadCacheLimit(const std::string& folder) {
  const auto ini = ReadIni(folder + "/op_cache.ini");
  const auto number = [&](const char* key, const char* variable, int64_t most, bool may_be_none) {
    const auto found = ini.find(key);
    std::optional<int64_t> value;
    if (found != ini.end()) value = NumberOf(found->second, most, may_be_none);
    const char* const text = std::getenv(variable);
    if (!value && text != nullptr) value = NumberOf(text, most, may_be_none);
    return value;
  };
  CacheLimit limit;
  if (const auto megabytes =
          number("max_op_cache_size", "ASCEND_MAX_OP_CACHE_SIZE", kMostMegabytes, true)) {
    limit.bytes = *megabytes < 0 ? CacheLimit::kNone : static_cast<uint64_t>(*megabytes) << 20;
  }
  if (const auto percent =
          number("remain_cache_size_ratio", "ASCEND_REMAIN_CACHE_SIZE_RATIO", 100, false)) {
    limit.remain_percent = static_cast<uint64_t>(*percent);
  }
  return limit;
}

std::string CacheFileName(std::string_view key) {
  return Xxh64(key) + std::string(kSuffix);
}

void AgeCache(const std::string& folder, const CacheLimit& limit) {
  if (limit.bytes == CacheLimit::kNone) return;
  DIR* const handle = ::opendir(folder.c_str());
  if (handle == nullptr) return;
  std::vector<std::tuple<time_t, long, std::string, uint64_t>> files;  // by time of the last use
  uint64_t total = 0;
  const time_t now = ::time(nullptr);
  while (const dirent* entry = ::readdir(handle)) {
    const bool temporary = IsTemporary(entry->d_name);
    if (!temporary && !IsCacheFile(entry->d_name)) continue;
    std::string path = folder + "/" + entry->d_name;
    struct stat info;
    if (::lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    if (temporary) {
      if (info.st_mtim.tv_sec < now - kStaleSeconds) ::unlink(path.c_str());
      continue;
    }
    const auto bytes = static_cast<uint64_t>(info.st_size);
    total += bytes;
    files.emplace_back(info.st_mtim.tv_sec, info.st_mtim.tv_nsec, std::move(path), bytes);
  }
  ::closedir(handle);
  if (total <= limit.bytes) return;
  const uint64_t remain = limit.bytes / 100 * limit.remain_percent;
  std::sort(files.begin(), files.end());
  for (const auto& [seconds, nanoseconds, path, bytes] : files) {
    if (total <= remain) break;
    if (::unlink(path.c_str()) == 0) total -= bytes;
  }
}

}  // namespace ge::aclop
