#include "kernels/unique.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/box.h"
#include "kernels/dispatch.h"
#include "kernels/reduce_walk.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// -1, 0 or 1.  NaN equals NaN and is greater than any number.
template <typename T>
int Order(T a, T b) {
  if (a < b) return -1;
  if (b < a) return 1;
  if (a == b) return 0;
  return static_cast<int>(a != a) - static_cast<int>(b != b);
}

// Slices of x along one axis, in the order of their elements; equal ones in the order of x.
template <typename T>
struct Slices {
  const T* x;
  AxisSplit split;

  int Compare(int64_t a, int64_t b) const {
    for (int64_t outer = 0; outer < split.outer; ++outer) {
      const T* base = x + outer * split.size * split.inner;
      for (int64_t i = 0; i < split.inner; ++i) {
        const int order = Order(base[a * split.inner + i], base[b * split.inner + i]);
        if (order != 0) return order;
      }
    }
    return 0;
  }
  std::vector<int64_t> Sorted() const {
    std::vector<int64_t> order(static_cast<size_t>(split.size));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [this](int64_t a, int64_t b) { return Compare(a, b) < 0; });
    return order;
  }
};

// Runs of equal slices: where each stands first, how often, and the run of every slice.
struct Runs {
  std::vector<int64_t> first, count, run_of;
};

template <typename T>
Runs FindRuns(const Slices<T>& slices, bool sorted) {
  const std::vector<int64_t> order = slices.Sorted();
  Runs runs;
  runs.run_of.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || slices.Compare(order[i - 1], order[i]) != 0) {
      runs.first.push_back(order[i]);
      runs.count.push_back(0);
    }
    ++runs.count.back();
    runs.run_of[static_cast<size_t>(order[i])] = static_cast<int64_t>(runs.first.size()) - 1;
  }
  if (sorted) return runs;
  std::vector<size_t> by_place(runs.first.size());
  std::iota(by_place.begin(), by_place.end(), size_t{0});
  std::sort(by_place.begin(), by_place.end(),
            [&](size_t a, size_t b) { return runs.first[a] < runs.first[b]; });
  Runs placed{.first = {}, .count = {}, .run_of = runs.run_of};
  std::vector<int64_t> rank(by_place.size());
  for (size_t i = 0; i < by_place.size(); ++i) {
    rank[by_place[i]] = static_cast<int64_t>(i);
    placed.first.push_back(runs.first[by_place[i]]);
    placed.count.push_back(runs.count[by_place[i]]);
  }
  for (int64_t& run : placed.run_of) run = rank[static_cast<size_t>(run)];
  return placed;
}

void WriteList(const KernelContext& ctx, size_t output, const std::vector<int64_t>& values) {
  if (output >= ctx.outputs.size()) return;
  ctx.Allocate(output, {static_cast<int64_t>(values.size())});
  if (!values.empty()) {
    std::memcpy(ctx.outputs[output].data, values.data(), values.size() * sizeof(int64_t));
  }
}

}  // namespace

Status Unique(KernelContext& ctx) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  const std::optional<std::vector<int64_t>> axes = ToInts(ctx.inputs[1]);
  if (!width || !axes) return ctx.NotBuilt();
  AxisSplit split;
  split.size = x.elements();
  Shape y = {0};
  size_t axis = 0;
  if (!axes->empty()) {
    const std::optional<size_t> found = NormalizeAxis(axes->front(), x.shape.rank());
    if (!found) return ctx.Fail("the axis is outside " + x.shape.ToString());
    axis = *found;
    split = SplitAt(x.shape, axis);
    y = x.shape;
  }
  Runs runs;
  const bool sorted = ctx.attrs.Bool("sorted");
  const bool known = VisitNumbers(x.dtype, [&]<typename T>(T) {
    runs = FindRuns(Slices<T>{x.as<T>(), split}, sorted);
  });
  if (!known) return ctx.NotBuilt();
  y[axis] = static_cast<int64_t>(runs.first.size());
  ctx.Allocate(0, y);
  const size_t bytes = static_cast<size_t>(split.inner) * *width;
  uint8_t* to = ctx.outputs[0].as<uint8_t>();
  for (int64_t outer = 0; outer < split.outer; ++outer) {
    const uint8_t* base = x.as<uint8_t>() + static_cast<size_t>(outer * split.size) * bytes;
    for (const int64_t slice : runs.first) {
      std::memcpy(to, base + static_cast<size_t>(slice) * bytes, bytes);
      to += bytes;
    }
  }
  WriteList(ctx, 1, runs.first);
  WriteList(ctx, 2, runs.count);
  WriteList(ctx, 3, runs.run_of);
  return Status::Ok();
}

}  // namespace ge::kernels
