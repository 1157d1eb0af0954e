#include "base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>

namespace ge {

Result<std::shared_ptr<const MappedFile>> MappedFile::Open(const std::string& path) {
  // O_NONBLOCK: a FIFO must be refused, not waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    return Error(ErrorId::kE13000, {{"path", path}, {"errmsg", std::strerror(errno)}});
  }
  Result<std::shared_ptr<const MappedFile>> file = Map(descriptor, path);
  ::close(descriptor);
  return file;
}

Result<std::shared_ptr<const MappedFile>> MappedFile::Map(int descriptor, const std::string& path) {
  std::shared_ptr<MappedFile> file(new MappedFile());
  file->path_ = path;
  const auto fail = [&](const char* reason) {
    return Error(ErrorId::kE13000, {{"path", path}, {"errmsg", reason}});
  };
  file->descriptor_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (file->descriptor_ < 0) return fail(std::strerror(errno));
  struct stat info;
  if (::fstat(file->descriptor_, &info) != 0) return fail(std::strerror(errno));
  if (!S_ISREG(info.st_mode)) return fail("not a regular file");
  file->size_ = static_cast<size_t>(info.st_size);
  if (file->size_ != 0) {
    void* data = ::mmap(nullptr, file->size_, PROT_READ, MAP_SHARED, file->descriptor_, 0);
    if (data == MAP_FAILED) return fail(std::strerror(errno));
    file->data_ = static_cast<const uint8_t*>(data);
  }
  return std::shared_ptr<const MappedFile>(std::move(file));
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<uint8_t*>(data_), size_);
  if (descriptor_ >= 0) ::close(descriptor_);
}

Buffer Buffer::View(std::shared_ptr<const MappedFile> file, std::span<const uint8_t> bytes) {
  Buffer buffer;
  buffer.file_ = std::move(file);
  buffer.bytes_ = bytes;
  buffer.size_ = bytes.size();
  return buffer;
}

Buffer Buffer::Own(std::vector<uint8_t> bytes) {
  Buffer buffer;
  buffer.owned_ = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
  buffer.bytes_ = *buffer.owned_;
  buffer.size_ = buffer.bytes_.size();
  return buffer;
}

struct Buffer::Later {
  FillFn fill;
  std::once_flag once;
  std::vector<uint8_t> bytes;
};

Buffer Buffer::Compute(size_t size, FillFn fill) {
  Buffer buffer;
  buffer.computed_ = std::make_shared<Later>();
  buffer.computed_->fill = std::move(fill);
  buffer.size_ = size;
  return buffer;
}

std::span<const uint8_t> Buffer::Computed() const {
  Later& later = *computed_;
  std::call_once(later.once, [&] {
    later.bytes.resize(size_);
    later.fill(0, later.bytes);
  });
  return later.bytes;
}

void Buffer::Read(size_t offset, std::span<uint8_t> out) const {
  if (is_computed()) {
    computed_->fill(offset, out);
  } else if (!out.empty()) {
    std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }
}

}  // namespace ge
