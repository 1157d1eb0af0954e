#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
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
  void Seek(int64_t row);                   // from the first row on, which must be the current one
  int64_t size() const { return size_; }    // elements of a row
  int64_t start() const { return start_; }  // of the row in the result
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

// A part of a row: `size` elements of the result from `out` on.  Input i starts at start[i] and
// moves by step[i], 0 or 1.
struct RowPart {
  int64_t size = 0;
  int64_t out = 0;
  int64_t start[3] = {};
  int64_t step[3] = {};
};

// Whether every input has the shape of the result or a single element: one row covers all.
bool IsOneRow(const Shape& result, std::span<const HostTensor> inputs);

// Calls visit(part) for parts of rows that cover the result, on several threads when there are
// more elements than `grain`.  At most three inputs.
template <typename Visit>
void ForRows(const Shape& result, std::span<const HostTensor> inputs, int64_t grain,
             const Visit& visit) {
  const int64_t count = *result.elements();
  if (count == 0) return;
  if (IsOneRow(result, inputs)) {
    ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
      RowPart part{.size = end - begin, .out = begin};
      for (size_t i = 0; i < inputs.size(); ++i) {
        part.step[i] = inputs[i].shape == result ? 1 : 0;
        part.start[i] = part.step[i] * begin;
      }
      visit(part);
    });
    return;
  }
  const BroadcastRows first(result, inputs);
  ParallelFor(count, grain, [&](int64_t begin, int64_t end) {
    BroadcastRows rows = first;
    rows.Seek(begin / rows.size());
    int64_t skipped = begin % rows.size();
    for (int64_t at = begin; at < end; rows.Next(), skipped = 0) {
      RowPart part{.size = std::min(rows.size() - skipped, end - at), .out = at};
      for (size_t i = 0; i < inputs.size(); ++i) {
        part.step[i] = rows.step(i);
        part.start[i] = rows.start(i) + skipped * rows.step(i);
      }
      visit(part);
      at += part.size;
    }
  });
}

}  // namespace ge
