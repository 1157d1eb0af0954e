#pragma once

#include <cstddef>
#include <cstdint>

namespace ge::onednn {

// Memory of one run, aligned to a cache line.  Blocks are kept for later runs, as many as ever ran
// at the same time.
class Workspace {
 public:
  explicit Workspace(size_t bytes);
  ~Workspace();
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  bool ok() const { return size_ == 0 || data_ != nullptr; }
  // The next `bytes` of it.
  void* Take(size_t bytes);
  // What Take(bytes) uses up.
  static size_t Padded(size_t bytes) { return (bytes + 63) / 64 * 64; }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t used_ = 0;
};

}  // namespace ge::onednn
