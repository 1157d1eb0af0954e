#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "dnnl_api.h"
#include "threads.h"
#include "workspace.h"

namespace ge::onednn {

inline const dnnl::engine& Engine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

// A primitive is made for a number of threads; this keeps one per number.
template <typename Variant>
class PerThreads {
 public:
  // The variant for `threads`, made by make() when it is new; nullptr when that fails.
  template <typename Make>
  std::shared_ptr<const Variant> Get(int threads, const Make& make) const {
    const std::lock_guard lock(mutex_);
    auto [found, is_new] = variants_.try_emplace(threads);
    if (is_new) {
      try {
        found->second = make();
      } catch (const dnnl::error&) {
        // stays null
      }
    }
    return found->second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<int, std::shared_ptr<const Variant>> variants_;
};

inline dnnl::memory View(const Desc& desc, const void* data) {
  return dnnl::memory(desc, Engine(), const_cast<void*>(data));
}

inline dnnl::reorder MakeReorder(const Desc& from, const Desc& to) {
  const dnnl::reorder::primitive_desc desc(Engine(), from, Engine(), to, UserScratchpad());
  // Between layouts of one dtype it needs none, and none is given to it.
  if (desc.scratchpad_desc().get_size() != 0) {
    throw dnnl::error(dnnl_unimplemented, "a reorder with a scratchpad");
  }
  return dnnl::reorder(desc);
}

}  // namespace ge::onednn
