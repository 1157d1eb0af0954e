#include "options/paths.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ge {

std::string WhyUnreadable(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) return std::strerror(errno);
  if (S_ISDIR(info.st_mode)) return "it is a folder";
  if (!S_ISREG(info.st_mode)) return "it is not a regular file";
  if (::access(path.c_str(), R_OK) != 0) return std::strerror(errno);
  return "";
}

std::string FolderOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  const size_t last = path.find_last_not_of('/', slash);
  return last == std::string::npos ? "/" : path.substr(0, last + 1);
}

// The nearest folder that exists takes what has to be created.
std::string WhyUnwritableFolder(std::string folder) {
  struct stat info;
  while (::stat(folder.c_str(), &info) != 0) {
    if (errno != ENOENT || folder == "." || folder == "/") {
      return "[" + folder + "]: " + std::strerror(errno);
    }
    // A dangling link exists but leads nowhere.
    if (::lstat(folder.c_str(), &info) == 0) return "[" + folder + "] is a dangling link";
    folder = FolderOf(folder);
  }
  if (!S_ISDIR(info.st_mode)) return "[" + folder + "] is not a folder";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return "folder [" + folder + "]: " + std::strerror(errno);
  }
  return "";
}

std::string WhyUnwritable(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return "it is a folder";
    if (!S_ISREG(info.st_mode)) return "it is not a regular file";
    if (::access(path.c_str(), W_OK) != 0) return std::strerror(errno);
  } else if (errno != ENOENT) {
    return std::strerror(errno);
  }
  return WhyUnwritableFolder(FolderOf(path));
}

std::string OutputFolders::Create(const std::string& path) {
  std::vector<std::string> missing;  // innermost first
  struct stat info;
  for (std::string folder = FolderOf(path); ::stat(folder.c_str(), &info) != 0;) {
    if (errno != ENOENT || folder == "." || folder == "/") {
      return "[" + folder + "]: " + std::strerror(errno);
    }
    missing.push_back(folder);
    folder = FolderOf(folder);
  }
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    if (::mkdir(folder->c_str(), 0777) == 0) {
      created_.push_back(*folder);
    } else if (errno != EEXIST) {  // `a/..` exists once `a` does
      return "folder [" + *folder + "] cannot be created: " + std::strerror(errno);
    }
  }
  return "";
}

OutputFolders::~OutputFolders() {
  for (auto folder = created_.rbegin(); folder != created_.rend(); ++folder) {
    if (::rmdir(folder->c_str()) != 0) return;
  }
}

}  // namespace ge
