#pragma once

// Loops that the compiler vectorises, in a version for the base instruction set and, on x86-64,
// one for AVX2.  Both do the same operations in the same order (no fused multiply-add), so that a
// result does not depend on the machine.
//
//   Vectorised([&]() GE_INLINE { for (int64_t i = 0; i < n; ++i) out[i] = f(x[i]); });
//
// What the loop calls must be inlined too: GE_INLINE.
#define GE_INLINE __attribute__((always_inline))

// In front of a loop whose result may be where an operand is, element for element; otherwise they
// do not overlap.
#define GE_IN_PLACE _Pragma("GCC ivdep")

namespace ge {

#if defined(__x86_64__)

template <typename Loop>
__attribute__((target("avx2"))) void WithAvx2(const Loop& loop) {
  loop();
}

inline bool HasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

template <typename Loop>
void Vectorised(const Loop& loop) {
  if (HasAvx2()) {
    WithAvx2(loop);
  } else {
    loop();
  }
}

#else

template <typename Loop>
void Vectorised(const Loop& loop) {
  loop();
}

#endif

}  // namespace ge
