#include "kernels/box.h"

#include <algorithm>

#include "base/parallel.h"
#include "kernels/simd.h"

namespace ge {
namespace {

// A part of an axis: neighbours that read neighbours, all read one element, or read nothing.
struct Segment {
  enum Kind { kRun, kSame, kFill } kind;
  int64_t offset;  // of the first
  int64_t count;
};

std::vector<Segment> SegmentsOf(const AxisOffsets& axis) {
  std::vector<Segment> segments;
  for (const int64_t offset : axis) {
    if (!segments.empty()) {
      Segment& last = segments.back();
      const bool same = last.kind != Segment::kRun || last.count == 1;
      const bool run = last.kind == Segment::kRun && offset == last.offset + last.count;
      if (run || (same && offset == last.offset)) {
        if (!run && last.kind == Segment::kRun) last.kind = Segment::kSame;
        ++last.count;
        continue;
      }
    }
    segments.push_back({offset == kOutside ? Segment::kFill : Segment::kRun, offset, 1});
  }
  return segments;
}

// Whether elements are repeated in pairs: 0, 0, 1, 1, 2, 2 ...
bool IsDoubled(const AxisOffsets& axis) {
  if (axis.size() % 2 != 0 || axis[0] == kOutside) return false;
  for (size_t i = 0; i < axis.size(); ++i) {
    if (axis[i] != axis[0] + static_cast<int64_t>(i / 2)) return false;
  }
  return true;
}

// The box as rows of consecutive output elements: a run, or single elements along an axis.
struct Rows {
  std::vector<const AxisOffsets*> outer;
  const AxisOffsets* last = nullptr;  // null: every row is one run
  AxisOffsets joined;                 // what `last` is, where several axes are taken together
  std::vector<Segment> segments;      // of `last`, when they are long
  bool doubled = false;               // `last` repeats elements in pairs
  int64_t first = 0;                  // where the run starts
  int64_t size = 1;                   // elements of a row
};

// The offsets of the elements of two axes.
AxisOffsets Joined(const AxisOffsets& outer, const AxisOffsets& inner) {
  AxisOffsets offsets;
  offsets.reserve(outer.size() * inner.size());
  for (const int64_t start : outer) {
    for (const int64_t step : inner) {
      offsets.push_back(start == kOutside || step == kOutside ? kOutside : start + step);
    }
  }
  return offsets;
}

// Joins the last axes as long as they read consecutive elements, or make a short row.
void FindRows(const std::vector<AxisOffsets>& axes, Rows& rows) {
  constexpr int64_t kShort = 32, kMost = 4096;
  size_t left = axes.size();
  for (; left > 0; --left) {
    const AxisOffsets& axis = axes[left - 1];
    bool joins = axis[0] != kOutside;
    for (size_t i = 0; i < axis.size() && joins; ++i) {
      joins = axis[i] == axis[0] + static_cast<int64_t>(i) * rows.size;
    }
    if (!joins) break;
    rows.first += axis[0];
    rows.size *= static_cast<int64_t>(axis.size());
  }
  if (left > 0 && rows.size < kShort) {
    const AxisOffsets run = SteppedOffsets(0, 1, rows.size, 1);
    rows.last = &axes[--left];
    if (rows.size > 1) {
      rows.joined = Joined(*rows.last, run);
      rows.last = &rows.joined;
    }
    const auto size = [&] { return static_cast<int64_t>(rows.last->size()); };
    while (left > 0 && size() < kShort &&
           size() * static_cast<int64_t>(axes[left - 1].size()) <= kMost) {
      rows.joined = Joined(axes[--left], *rows.last);
      rows.last = &rows.joined;
    }
    rows.size = size();
    rows.doubled = IsDoubled(*rows.last);
    rows.segments = SegmentsOf(*rows.last);
    if (rows.segments.size() * 4 > rows.last->size()) rows.segments.clear();
  }
  for (size_t axis = 0; axis < left; ++axis) rows.outer.push_back(&axes[axis]);
}

// Counts through the rows and adds up their offsets.
class RowCounter {
 public:
  RowCounter(const Rows& rows, int64_t row) : rows_(rows), index_(rows.outer.size()) {
    for (size_t axis = index_.size(); axis-- > 0;) {
      const int64_t size = static_cast<int64_t>(rows.outer[axis]->size());
      index_[axis] = static_cast<size_t>(row % size);
      row /= size;
    }
  }
  // Where the row reads, or kOutside.
  int64_t Offset() const {
    int64_t sum = rows_.first;
    for (size_t axis = 0; axis < index_.size(); ++axis) {
      const int64_t offset = (*rows_.outer[axis])[index_[axis]];
      if (offset == kOutside) return kOutside;
      sum += offset;
    }
    return sum;
  }
  void Next() {
    for (size_t axis = index_.size(); axis-- > 0;) {
      if (++index_[axis] < rows_.outer[axis]->size()) return;
      index_[axis] = 0;
    }
  }

 private:
  const Rows& rows_;
  std::vector<size_t> index_;
};

template <typename T>
void GatherRow(const T* from, const Rows& rows, T value, T* to) {
  if (rows.last == nullptr) {
    std::copy_n(from, rows.size, to);
  } else if (!rows.segments.empty()) {
    for (const Segment& segment : rows.segments) {
      switch (segment.kind) {
        case Segment::kRun:
          std::copy_n(from + segment.offset, segment.count, to);
          break;
        case Segment::kSame:
          std::fill_n(to, segment.count, from[segment.offset]);
          break;
        case Segment::kFill:
          std::fill_n(to, segment.count, value);
          break;
      }
      to += segment.count;
    }
  } else if (rows.doubled) {
    const int64_t count = rows.size / 2;
    from += (*rows.last)[0];
    Vectorised([=]() GE_INLINE {
      for (int64_t i = 0; i < count; ++i) to[2 * i] = to[2 * i + 1] = from[i];
    });
  } else {
    for (const int64_t step : *rows.last) *to++ = step == kOutside ? value : from[step];
  }
}

template <typename T>
void Gather(const void* in, const std::vector<AxisOffsets>& axes, const void* fill, void* out) {
  constexpr int64_t kGrainBytes = 32768;
  const T value = fill == nullptr ? T() : *static_cast<const T*>(fill);
  const T* from = static_cast<const T*>(in);
  Rows rows;
  FindRows(axes, rows);
  int64_t count = 1;
  for (const AxisOffsets* axis : rows.outer) count *= static_cast<int64_t>(axis->size());
  const int64_t row_bytes = rows.size * static_cast<int64_t>(sizeof(T));
  ParallelFor(count, std::max<int64_t>(kGrainBytes / row_bytes, 1),
              [&](int64_t begin, int64_t end) {
                RowCounter counter(rows, begin);
                int64_t previous = kOutside;
                T* to = static_cast<T*>(out) + begin * rows.size;
                for (int64_t row = begin; row < end; ++row, counter.Next(), to += rows.size) {
                  const int64_t offset = counter.Offset();
                  if (offset == kOutside) {
                    std::fill_n(to, rows.size, value);
                  } else if (offset == previous) {  // an axis further out repeats
                    std::copy_n(to - rows.size, rows.size, to);
                  } else {
                    GatherRow(from + offset, rows, value, to);
                  }
                  previous = offset;
                }
              });
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
