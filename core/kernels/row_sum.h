#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/simd.h"

namespace ge {

// The sum of term(i) for i in [0, count), in an order that is fixed: sixteen lanes over blocks of
// 1024 terms, then the lanes by halves and the blocks, in double.  Call it inside of Vectorised().
template <typename C, typename Term>
GE_INLINE inline double LaneSum(int64_t count, const Term& term) {
  constexpr int64_t kLanes = 16, kBlock = 1024;
  double total = 0;
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, count);
    C lanes[kLanes] = {};
    int64_t i = begin;
    for (; i + kLanes <= end; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += term(i + lane);
    }
    for (int64_t lane = 0; i < end; ++i, ++lane) lanes[lane] += term(i);
    double wide[kLanes];
    for (int64_t lane = 0; lane < kLanes; ++lane) wide[lane] = static_cast<double>(lanes[lane]);
    for (int64_t half = kLanes / 2; half > 0; half /= 2) {
      for (int64_t lane = 0; lane < half; ++lane) wide[lane] += wide[lane + half];
    }
    total += wide[0];
  }
  return total;
}

}  // namespace ge
