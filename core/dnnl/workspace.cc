#include "workspace.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <vector>

namespace ge::onednn {
namespace {

struct Block {
  uint8_t* data;
  size_t size;
};

struct Blocks {
  std::mutex mutex;
  std::vector<Block> idle;

  ~Blocks() {
    for (const Block& block : idle) std::free(block.data);
  }
};

Blocks& TheBlocks() {
  static Blocks blocks;
  return blocks;
}

}  // namespace

Workspace::Workspace(size_t bytes) : size_(Padded(bytes)) {
  if (size_ == 0) return;
  Blocks& blocks = TheBlocks();
  Block block = {nullptr, 0};
  {
    const std::lock_guard lock(blocks.mutex);
    if (!blocks.idle.empty()) {
      block = blocks.idle.back();
      blocks.idle.pop_back();
    }
  }
  if (block.size < size_) {
    std::free(block.data);
    block = {static_cast<uint8_t*>(std::aligned_alloc(64, size_)), size_};
    if (block.data == nullptr) block.size = 0;
  }
  data_ = block.data;
  size_ = std::max(size_, block.size);
}

Workspace::~Workspace() {
  if (data_ == nullptr) return;
  Blocks& blocks = TheBlocks();
  const std::lock_guard lock(blocks.mutex);
  blocks.idle.push_back({data_, size_});
}

void* Workspace::Take(size_t bytes) {
  void* const taken = data_ + used_;
  used_ += Padded(bytes);
  return taken;
}

}  // namespace ge::onednn
