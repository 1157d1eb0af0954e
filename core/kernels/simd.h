#pragma once

// Loops that the compiler vectorises, in a version for the base instruction set and, on x86-64,
// ones for AVX2 and AVX-512.  All do the same operations in the same order (no fused
// multiply-add), so that a result does not depend on the machine.
//
//   Vectorised([=]() GE_INLINE { for (int64_t i = 0; i < n; ++i) out[i] = f(x[i]); });
//
// What the loop calls must be inlined too: GE_INLINE.  What it reads beside its elements, such as
// a parameter of f, is captured by value: behind a reference a store to `out` might change it.
#define GE_INLINE __attribute__((always_inline))

// In front of a loop whose result may be where an operand is, element for element; otherwise they
// do not overlap.
#define GE_IN_PLACE _Pragma("GCC ivdep")

namespace ge {

#if defined(__x86_64__)

template <typename Loop>
__attribute__((target("avx2"))) void WithAvx2(const Loop& loop) {
  const Loop own = loop;
  own();
}
template <typename Loop>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"))) void
WithAvx512(const Loop& loop) {
  const Loop own = loop;
  own();
}

enum class Simd { kBase, kAvx2, kAvx512 };
inline Simd WidestSimd() {
  static const Simd widest = [] {
    const bool has_512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (has_512) return Simd::kAvx512;
    return __builtin_cpu_supports("avx2") ? Simd::kAvx2 : Simd::kBase;
  }();
  return widest;
}

template <typename Loop>
void Vectorised(const Loop& loop) {
  switch (WidestSimd()) {
    case Simd::kAvx512:
      return WithAvx512(loop);
    case Simd::kAvx2:
      return WithAvx2(loop);
    case Simd::kBase:
      return loop();
  }
}

#else

template <typename Loop>
void Vectorised(const Loop& loop) {
  loop();
}

#endif

}  // namespace ge
