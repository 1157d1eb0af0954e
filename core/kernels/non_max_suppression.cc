#include <algorithm>
#include <limits>
#include <numeric>

#include "kernels/vision.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

struct Box {
  float top, left, bottom, right;
  float area() const { return (bottom - top) * (right - left); }
};

Box BoxOf(const float* four, bool by_center) {
  if (by_center) {  // x, y, width, height
    return {four[1] - four[3] / 2, four[0] - four[2] / 2, four[1] + four[3] / 2,
            four[0] + four[2] / 2};
  }
  return {std::min(four[0], four[2]), std::min(four[1], four[3]), std::max(four[0], four[2]),
          std::max(four[1], four[3])};
}

// Whether the intersection is more than `threshold` of the union.
bool Overlap(const Box& a, const Box& b, float threshold) {
  const float height = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  const float width = std::min(a.right, b.right) - std::max(a.left, b.left);
  if (!(height > 0 && width > 0 && a.area() > 0 && b.area() > 0)) return false;
  const float common = height * width;
  return common / (a.area() + b.area() - common) > threshold;
}

struct Limits {
  int64_t count;
  float overlap;
  float score;  // only scores above it count
  bool any_score;
};

// The boxes that are picked for one class, by falling score; of equal ones the first.
std::vector<int64_t> Pick(const std::vector<Box>& boxes, const float* scores,
                          const Limits& limits) {
  std::vector<int64_t> order;
  for (size_t i = 0; i < boxes.size(); ++i) {
    const float score = scores[i];
    if (limits.any_score ? score == score : score > limits.score) {
      order.push_back(static_cast<int64_t>(i));
    }
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return scores[a] > scores[b]; });
  std::vector<int64_t> picked;
  for (const int64_t candidate : order) {
    if (static_cast<int64_t>(picked.size()) >= limits.count) break;
    const Box& box = boxes[static_cast<size_t>(candidate)];
    const bool hidden = std::any_of(picked.begin(), picked.end(), [&](int64_t other) {
      return Overlap(box, boxes[static_cast<size_t>(other)], limits.overlap);
    });
    if (!hidden) picked.push_back(candidate);
  }
  return picked;
}

}  // namespace

Status NonMaxSuppression(KernelContext& ctx) {
  const HostTensor& given = ctx.inputs[0];
  const HostTensor& given_scores = ctx.inputs[1];
  if (!IsFloat(given.dtype) || !IsFloat(given_scores.dtype)) return ctx.NotBuilt();
  const WideInput<float> corners(given), scores(given_scores);
  if (!corners.known() || !scores.known()) return ctx.NotBuilt();
  const auto number = [&](size_t i) -> double {
    if (!ctx.has_input(i) || ctx.inputs[i].elements() == 0) return 0;
    const auto value = ToDoubles(ctx.inputs[i]);
    return value ? value->front() : 0;
  };
  const double count = number(2);
  const Limits limits = {count >= 1 ? static_cast<int64_t>(std::min(count, 0x1p62)) : 0,
                         static_cast<float>(number(3)), static_cast<float>(number(4)),
                         !ctx.has_input(4)};
  const bool by_center = ctx.attrs.Int("center_point_box") != 0;
  const int64_t batches = given.shape[0], size = given.shape[1], classes = given_scores.shape[1];
  std::vector<std::vector<int64_t>> picked(static_cast<size_t>(batches * classes));
  ParallelFor(batches, 1, [&](int64_t first, int64_t last) {
    std::vector<Box> boxes(static_cast<size_t>(size));
    for (int64_t batch = first; batch < last; ++batch) {
      for (int64_t i = 0; i < size; ++i) {
        boxes[static_cast<size_t>(i)] = BoxOf(corners.data() + (batch * size + i) * 4, by_center);
      }
      for (int64_t c = 0; c < classes; ++c) {
        const int64_t row = batch * classes + c;
        picked[static_cast<size_t>(row)] = Pick(boxes, scores.data() + row * size, limits);
      }
    }
  });
  int64_t total = 0;
  for (const auto& row : picked) total += static_cast<int64_t>(row.size());
  ctx.Allocate(0, {total, 3});
  int32_t* out = ctx.outputs[0].as<int32_t>();
  for (size_t row = 0; row < picked.size(); ++row) {
    for (const int64_t box : picked[row]) {
      *out++ = static_cast<int32_t>(static_cast<int64_t>(row) / classes);
      *out++ = static_cast<int32_t>(static_cast<int64_t>(row) % classes);
      *out++ = static_cast<int32_t>(box);
    }
  }
  return Status::Ok();
}

}  // namespace ge::kernels
