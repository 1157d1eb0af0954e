#include "kernels/narrow.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/parallel.h"
#include "kernels/dispatch.h"
#include "kernels/simd.h"

namespace ge::kernels {
namespace {

constexpr int64_t kGrain = 1 << 16;
constexpr int64_t kBlock = 4096;  // counts of one block fit 32 bits, which vectorise

// The largest finite number, and the least magnitude that does not round to 0.
struct Range {
  float largest, least;
};
Range RangeOf(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat16:
      return {65504.0f, 0x1.000002p-25f};  // half of the least subnormal rounds to even: 0
    case DataType::kBf16:
      return {0x1.fep127f, 0x1.0002p-134f};
    default:
      return {0x1.fffffep127f, 0.0f};
  }
}

template <typename T>
GE_INLINE inline T Load(const uint8_t* from, int64_t i) {
  T value;
  std::memcpy(&value, from + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <typename From, typename To>
NarrowLoss Convert(const uint8_t* from, To* to, int64_t count, Range range, bool clip) {
  NarrowLoss loss;
  for (int64_t start = 0; start < count; start += kBlock) {
    const int64_t end = std::min(count, start + kBlock);
    int32_t beyond = 0, vanished = 0;
    int32_t* const beyond_out = &beyond;
    int32_t* const vanished_out = &vanished;
    Vectorised([=]() GE_INLINE {
      constexpr float kInfinity = std::numeric_limits<float>::infinity();
      int32_t large = 0, small = 0;
      for (int64_t i = start; i < end; ++i) {
        float value = static_cast<float>(Load<From>(from, i));
        const float magnitude = std::fabs(value);
        const bool is_large = magnitude > range.largest && magnitude < kInfinity;
        large += is_large ? 1 : 0;
        small += magnitude < range.least ? 1 : 0;
        small -= magnitude == 0.0f ? 1 : 0;
        const float limited = std::copysign(range.largest, value);
        value = clip && is_large ? limited : value;
        if (to != nullptr) to[i] = static_cast<To>(value);
      }
      *beyond_out = large;
      *vanished_out = small;
    });
    loss.beyond += static_cast<uint64_t>(beyond);
    loss.vanished += static_cast<uint64_t>(std::max(vanished, 0));
  }
  return loss;
}

NarrowLoss Run(DataType from_dtype, const void* from, DataType to_dtype, void* to, int64_t count,
               bool clip) {
  std::atomic<uint64_t> beyond = 0, vanished = 0;
  const Range range = RangeOf(to_dtype);
  const auto* const bytes = static_cast<const uint8_t*>(from);
  VisitFloats(from_dtype, [&]<typename From>(From) {
    VisitFloats(to_dtype, [&]<typename To>(To) {
      To* const result = static_cast<To*>(to);
      ParallelFor(count, kGrain, [&](int64_t begin, int64_t end) {
        const NarrowLoss loss =
            Convert<From>(bytes + begin * static_cast<int64_t>(sizeof(From)),
                          result == nullptr ? nullptr : result + begin, end - begin, range, clip);
        beyond += loss.beyond;
        vanished += loss.vanished;
      });
    });
  });
  return {beyond, vanished};
}

}  // namespace

NarrowLoss ConvertFloats(DataType from_dtype, const void* from, DataType to_dtype, void* to,
                         int64_t count, bool clip) {
  return Run(from_dtype, from, to_dtype, to, count, clip);
}

NarrowLoss LossOf(DataType from_dtype, const void* from, DataType to_dtype, int64_t count) {
  return Run(from_dtype, from, to_dtype, nullptr, count, false);
}

}  // namespace ge::kernels
