#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

// Bytes of a constant: a view into a mapped file, owned, or computed when they are asked for.
// Copying it copies no bytes.
class Buffer {
 public:
  Buffer() = default;
  static Buffer View(std::shared_ptr<const MappedFile> file, std::span<const uint8_t> bytes);
  static Buffer Own(std::vector<uint8_t> bytes);
  // fill(offset, out) gives the bytes from `offset` on, always the same; both offset and size are
  // multiples of 16, but for the end.
  using FillFn = std::function<void(size_t offset, std::span<uint8_t> out)>;
  static Buffer Compute(size_t size, FillFn fill);

  // All of them; those that are computed are kept from now on.
  std::span<const uint8_t> bytes() const { return computed_ == nullptr ? bytes_ : Computed(); }
  size_t size() const { return size_; }
  // Copies the bytes from `offset`, a multiple of 16, on; those that are computed are not kept.
  void Read(size_t offset, std::span<uint8_t> out) const;
  bool is_computed() const { return computed_ != nullptr; }
  // The same for buffers of one size that are copies of one another.
  const void* origin() const {
    return is_computed() ? static_cast<const void*>(computed_.get()) : bytes_.data();
  }
  // The file the bytes are a view into; nullptr when they are owned.
  const MappedFile* file() const { return file_.get(); }
  uint64_t file_offset() const {
    return static_cast<uint64_t>(bytes_.data() - file_->bytes().data());
  }

 private:
  std::span<const uint8_t> Computed() const;

  std::shared_ptr<const MappedFile> file_;
  std::shared_ptr<const std::vector<uint8_t>> owned_;
  struct Later;
  std::shared_ptr<Later> computed_;
  std::span<const uint8_t> bytes_;
  size_t size_ = 0;
};

}  // namespace ge
