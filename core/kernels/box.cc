#include "kernels/box.h"

#include <algorithm>
#include <span>

namespace ge {
namespace {

struct Bytes16 {
  uint64_t low, high;
};

template <typename T>
class BoxReader {
 public:
  BoxReader(const std::vector<AxisOffsets>& axes, T fill, T* out)
      : axes_(axes), fill_(fill), out_(out), block_(axes.size(), 1) {
    for (size_t axis = axes.size() - 1; axis-- > 0;) {
      block_[axis] = block_[axis + 1] * axes[axis + 1].size();
    }
    const AxisOffsets& last = axes.back();
    contiguous_ = true;
    for (size_t i = 0; i < last.size() && contiguous_; ++i) {
      contiguous_ = last[i] != kOutside && last[i] == last[0] + static_cast<int64_t>(i);
    }
  }

  void Read(const T* in, size_t axis) {
    const AxisOffsets& offsets = axes_[axis];
    if (axis + 1 == axes_.size()) {
      if (contiguous_) {
        out_ = std::copy_n(in + offsets[0], offsets.size(), out_);
      } else {
        for (const int64_t offset : offsets) *out_++ = offset == kOutside ? fill_ : in[offset];
      }
      return;
    }
    for (const int64_t offset : offsets) {
      if (offset == kOutside) {
        out_ = std::fill_n(out_, block_[axis], fill_);
      } else {
        Read(in + offset, axis + 1);
      }
    }
  }

 private:
  const std::vector<AxisOffsets>& axes_;
  const T fill_;
  T* out_;
  std::vector<size_t> block_;  // elements of the output under one index of an axis
  bool contiguous_;            // the last axis reads consecutive elements
};

template <typename T>
void Gather(const void* in, const std::vector<AxisOffsets>& axes, const void* fill, void* out) {
  const T value = fill == nullptr ? T() : *static_cast<const T*>(fill);
  BoxReader<T>(axes, value, static_cast<T*>(out)).Read(static_cast<const T*>(in), 0);
}

}  // namespace

std::optional<size_t> ElementBytes(DataType dtype) {
  const int bits = RowOf(dtype).bits;
  if (bits == 0 || bits % 8 != 0) return std::nullopt;
  return static_cast<size_t>(bits / 8);
}

AxisOffsets SteppedOffsets(int64_t first, int64_t step, int64_t count, int64_t stride) {
  AxisOffsets offsets(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) offsets[static_cast<size_t>(i)] = (first + i * step) * stride;
  return offsets;
}

void GatherBox(const void* in, const std::vector<AxisOffsets>& axes, size_t width, const void* fill,
               void* out) {
  const auto is_empty = [](const AxisOffsets& axis) { return axis.empty(); };
  if (std::any_of(axes.begin(), axes.end(), is_empty)) return;
  if (axes.empty()) return GatherBox(in, {{0}}, width, fill, out);
  switch (width) {
    case 1:
      return Gather<uint8_t>(in, axes, fill, out);
    case 2:
      return Gather<uint16_t>(in, axes, fill, out);
    case 4:
      return Gather<uint32_t>(in, axes, fill, out);
    case 8:
      return Gather<uint64_t>(in, axes, fill, out);
    default:
      return Gather<Bytes16>(in, axes, fill, out);
  }
}

void IndexCounter::Next() {
  for (size_t axis = index_.size(); axis-- > 0;) {
    if (++index_[axis] < shape_[axis]) return;
    index_[axis] = 0;
  }
}

}  // namespace ge
