#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/status.h"

namespace ge {

// A whole file mapped read-only.  Its pages belong to the page cache, not to this process, and
// the descriptor stays open so that the kernel can copy ranges of it.
class MappedFile {
 public:
  // Errors carry errno's text; the caller knows which flag named the file.
  static Result<std::shared_ptr<const MappedFile>> Open(const std::string& path);
  // Maps what `descriptor` has open; `path` is for messages only.
  static Result<std::shared_ptr<const MappedFile>> Map(int descriptor, const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const uint8_t> bytes() const { return {data_, size_}; }
  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }

 private:
  MappedFile() = default;
  std::string path_;
  int descriptor_ = -1;
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

// Bytes of a constant: a view into a mapped file, or owned.  Copying it copies no bytes.
class Buffer {
 public:
  Buffer() = default;
  static Buffer View(std::shared_ptr<const MappedFile> file, std::span<const uint8_t> bytes);
  static Buffer Own(std::vector<uint8_t> bytes);

  std::span<const uint8_t> bytes() const { return bytes_; }
  size_t size() const { return bytes_.size(); }
  // The file the bytes are a view into; nullptr when they are owned.
  const MappedFile* file() const { return file_.get(); }
  uint64_t file_offset() const {
    return static_cast<uint64_t>(bytes_.data() - file_->bytes().data());
  }

 private:
  std::shared_ptr<const MappedFile> file_;
  std::shared_ptr<const std::vector<uint8_t>> owned_;
  std::span<const uint8_t> bytes_;
};

}  // namespace ge
