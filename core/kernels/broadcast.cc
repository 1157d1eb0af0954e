#include "kernels/broadcast.h"

namespace ge {

BroadcastRows::BroadcastRows(const Shape& result, std::span<const HostTensor> inputs)
    : left_(*result.elements()), starts_(inputs.size(), 0), steps_(inputs.size(), 0) {
  if (left_ == 0) return;
  std::vector<int64_t> covered(inputs.size(), 1);  // elements of an input in the axes seen so far
  std::vector<Axis> axes;
  for (size_t back = 1; back <= result.rank(); ++back) {
    const int64_t size = result[result.rank() - back];
    if (size == 1) continue;
    Axis axis{.size = size, .strides = std::vector<int64_t>(inputs.size(), 0)};
    bool joins = !axes.empty();
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Shape& shape = inputs[i].shape;
      const bool moves = back <= shape.rank() && shape[shape.rank() - back] != 1;
      if (moves) {
        axis.strides[i] = covered[i];
        covered[i] *= size;
      }
      joins = joins && moves == (axes.back().strides[i] != 0);
    }
    if (joins) {
      axes.back().size *= size;
    } else {
      axes.push_back(std::move(axis));
    }
  }
  if (!axes.empty()) {
    size_ = axes.front().size;
    steps_ = std::move(axes.front().strides);
    axes.erase(axes.begin());
  }
  left_ /= size_;
  outer_ = std::move(axes);
}

void BroadcastRows::Next() {
  --left_;
  start_ += size_;
  for (Axis& axis : outer_) {
    const bool carry = ++axis.index == axis.size;
    const int64_t steps = carry ? 1 - axis.size : 1;
    for (size_t i = 0; i < starts_.size(); ++i) starts_[i] += steps * axis.strides[i];
    if (!carry) return;
    axis.index = 0;
  }
}

void BroadcastRows::Seek(int64_t row) {
  left_ -= row;
  start_ += row * size_;
  for (Axis& axis : outer_) {
    axis.index = row % axis.size;
    row /= axis.size;
    for (size_t i = 0; i < starts_.size(); ++i) starts_[i] += axis.index * axis.strides[i];
  }
}

bool IsOneRow(const Shape& result, std::span<const HostTensor> inputs) {
  return std::all_of(inputs.begin(), inputs.end(), [&](const HostTensor& input) {
    return input.shape == result || input.shape.elements() == 1;
  });
}

}  // namespace ge
