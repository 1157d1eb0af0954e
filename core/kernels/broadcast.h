#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernel_context.h"

namespace ge {

// Walks a broadcast result in rows: runs of result elements along which every input either moves
// one element at a time or repeats one element.  Adjacent axes are joined, so equal shapes, and a
// scalar beside a tensor, are a single row.
//
//   for (BroadcastRows rows(result, inputs); rows; rows.Next()) ...
class BroadcastRows {
 public:
  // Every input broadcasts to `result`; one that is left out counts as a scalar.
  BroadcastRows(const Shape& result, std::span<const HostTensor> inputs);

  explicit operator bool() const { return left_ > 0; }
  void Next();
  int64_t size() const { return size_; }                        // elements of a row
  int64_t start() const { return start_; }                      // of the row in the result
  int64_t start(size_t input) const { return starts_[input]; }  // of the row in an input
  int64_t step(size_t input) const { return steps_[input]; }    // 0 or 1

 private:
  struct Axis {
    int64_t size;
    int64_t index = 0;
    std::vector<int64_t> strides;  // per input, 0 where it repeats
  };
  int64_t size_ = 1;
  int64_t left_ = 1;
  int64_t start_ = 0;
  std::vector<int64_t> starts_;
  std::vector<int64_t> steps_;
  std::vector<Axis> outer_;  // innermost first
};

}  // namespace ge
