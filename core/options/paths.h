#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace ge {

inline constexpr size_t kLongestOutput = 4096;  // bytes of --output, as in ATC

// Why a file cannot be read, in the words of the system; empty when it can.
std::string WhyUnreadable(const std::string& path);

// Why a file cannot be written at `path`, whose folders may still be missing; empty when nothing
// stands against it.  Creates nothing.
std::string WhyUnwritable(const std::string& path);
// The same for files in a folder.
std::string WhyUnwritableFolder(std::string folder);

// The folder part of a path, "." if there is none.
std::string FolderOf(const std::string& path);

// The folders that a run creates for its output.  Those that are still empty when the object goes
// are removed again, so a failed run leaves none behind.
class OutputFolders {
 public:
  OutputFolders() = default;
  OutputFolders(const OutputFolders&) = delete;
  ~OutputFolders();
  // Creates the missing folders on the way to `path`; empty, or why that failed.
  std::string Create(const std::string& path);

 private:
  std::vector<std::string> created_;  // outermost first
};

}  // namespace ge
