#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/dispatch.h"
#include "kernels/simd.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Rows of float16 and bfloat16 to and from float32, rounded to nearest even, by the instructions
// that the processor has for it.  These give the numbers of Half and Bf16.
namespace ge {

#if defined(__x86_64__)
namespace half_rows {

// How many elements were converted; the rest is left to the caller.
__attribute__((target("avx2,f16c"))) inline int64_t Widen(const Half* from, float* to,
                                                          int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(halves));
  }
  return i;
}
__attribute__((target("avx2,f16c"))) inline int64_t Narrow(const float* from, Half* to,
                                                           int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), halves);
  }
  return i;
}

__attribute__((target("avx2,f16c"))) inline int64_t Round(float* row, int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m128i halves = _mm256_cvtps_ph(_mm256_loadu_ps(row + i), _MM_FROUND_TO_NEAREST_INT);
    _mm256_storeu_ps(row + i, _mm256_cvtph_ps(halves));
  }
  return i;
}

inline bool HasConversions() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  return has;
}

}  // namespace half_rows
#endif

template <typename T>
void WidenRow(const T* from, float* to, int64_t count) {
  int64_t done = 0;
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, Half>) {
    if (half_rows::HasConversions()) done = half_rows::Widen(from, to, count);
  }
#endif
  if (done == count) return;
  Vectorised([=]() GE_INLINE {
    for (int64_t i = done; i < count; ++i) to[i] = static_cast<float>(from[i]);
  });
}

template <typename T>
void NarrowRow(const float* from, T* to, int64_t count) {
  int64_t done = 0;
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, Half>) {
    if (half_rows::HasConversions()) done = half_rows::Narrow(from, to, count);
  }
#endif
  if (done == count) return;
  Vectorised([=]() GE_INLINE {
    for (int64_t i = done; i < count; ++i) to[i] = static_cast<T>(from[i]);
  });
}

// Replaces numbers by the nearest ones that T has.
template <typename T>
void RoundRow(float* row, int64_t count) {
  int64_t done = 0;
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, Half>) {
    if (half_rows::HasConversions()) done = half_rows::Round(row, count);
  }
#endif
  if (done == count) return;
  Vectorised([=]() GE_INLINE {
    for (int64_t i = done; i < count; ++i) row[i] = static_cast<float>(static_cast<T>(row[i]));
  });
}

// Elements first, first + 1, ... of a tensor of float32 or a 16-bit float.
inline void WidenRow(DataType dtype, const void* data, int64_t first, int64_t count, float* to) {
  if (dtype == DataType::kFloat16) {
    WidenRow(static_cast<const Half*>(data) + first, to, count);
  } else if (dtype == DataType::kBf16) {
    WidenRow(static_cast<const Bf16*>(data) + first, to, count);
  } else {
    std::copy_n(static_cast<const float*>(data) + first, count, to);
  }
}
inline void NarrowRow(const float* from, DataType dtype, void* data, int64_t first, int64_t count) {
  if (dtype == DataType::kFloat16) {
    NarrowRow(from, static_cast<Half*>(data) + first, count);
  } else if (dtype == DataType::kBf16) {
    NarrowRow(from, static_cast<Bf16*>(data) + first, count);
  } else {
    std::copy_n(from, count, static_cast<float*>(data) + first);
  }
}

}  // namespace ge
