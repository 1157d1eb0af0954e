#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/simd.h"

// Functions that the compiler vectorises when they stand in a loop (kernels/simd.h): polynomials in
// float without branches, with an error of at most 2.4 units in the last place (Mish: 3.6).  They
// give the same bits on every machine.  In double they are those of <cmath>.
namespace ge::vec {

namespace internal {

// exp(x) = 2^n * (1 + tail), |x - n * log(2)| <= log(2) / 2; x within [-150, 150], or NaN.
struct Reduced {
  int32_t n;
  float tail;
};

GE_INLINE inline Reduced Reduce(float x) {
  constexpr float kLog2E = 1.44269504f;
  // log(2) in two parts, the first of which has few enough digits for exact products with n.
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
  constexpr float kMagic = 12582912.0f;
  const float shifted = x * kLog2E + kMagic;
  const float n = shifted - kMagic;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  // (exp(r) - 1 - r) / r^2, fitted on |r| <= log(2) / 2.
  const float q =
      0.5f + r * (0.166665167f + r * (0.0416662022f + r * (0.00836908817f + r * 0.00139508338f)));
  const uint32_t bits = std::bit_cast<uint32_t>(shifted) - std::bit_cast<uint32_t>(kMagic);
  return {static_cast<int32_t>(bits), r + r * r * q};
}

// 2^n for n in [-126, 127].
GE_INLINE inline float PowerOfTwo(int32_t n) {
  return std::bit_cast<float>((static_cast<uint32_t>(n) + 127u) << 23);
}

}  // namespace internal

GE_INLINE inline float Exp(float x) {
  x = x > 89.0f ? 89.0f : x;
  x = x < -104.0f ? -104.0f : x;
  const internal::Reduced e = internal::Reduce(x);
  const int32_t half = e.n >> 1;  // in two steps, so that subnormal results are rounded once
  return (1.0f + e.tail) * internal::PowerOfTwo(half) * internal::PowerOfTwo(e.n - half);
}

// exp(x) - 1.
GE_INLINE inline float Expm1(float x) {
  x = x > 89.0f ? 89.0f : x;
  x = x < -30.0f ? -30.0f : x;
  const internal::Reduced e = internal::Reduce(x);
  const float half_power = internal::PowerOfTwo(e.n - 1);
  return (half_power * e.tail + (half_power - 0.5f)) * 2.0f;
}

GE_INLINE inline float Tanh(float x) {
  // With e = exp(-2 |x|): (1 - e) / (1 + e), where 1 - e has all its digits for small x, and
  // 1 - 2 e / (1 + e) for others.
  const float magnitude = std::fabs(x);
  const internal::Reduced r = internal::Reduce(magnitude > 15.0f ? -30.0f : -2.0f * magnitude);
  const float power = internal::PowerOfTwo(r.n);
  const float e = power * (1.0f + r.tail);
  const float one_minus_e = (1.0f - power) - power * r.tail;
  const bool is_small = magnitude < 0.55f;
  const float quotient = (is_small ? one_minus_e : 2.0f * e) / (1.0f + e);
  return std::copysign(is_small ? quotient : 1.0f - quotient, x);
}

GE_INLINE inline float Sigmoid(float x) {
  const float e = Exp(-std::fabs(x));
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

GE_INLINE inline float Erf(float x) {
  const float magnitude = std::fabs(x);
  const float z = x * x;
  // erf(x) / x - 1 on |x| < 0.92.
  const float near =
      0.128379166f +
      z * (-0.376126349f +
           z * (0.112837009f +
                z * (-0.0268596467f +
                     z * (0.00520157395f + z * (-0.000814817089f + z * 8.39079221e-05f)))));
  // -log(1 - erf(a)) on a in [0.92, 4]; beyond, erf rounds to 1.
  const float a = magnitude > 4.0f ? 4.0f : magnitude;
  const float far =
      0.00019191629f +
      a * (1.12768972f +
           a * (0.637161076f +
                a * (0.103948087f +
                     a * (-0.0222339053f + a * (0.00304474146f + a * -0.000196070978f)))));
  const float outer = std::copysign(1.0f - Exp(-far), x);
  return magnitude < 0.92f ? x + x * near : outer;
}

// log(1 + x) for x in [0, 1].
GE_INLINE inline float Log1pOfFraction(float x) {
  // 2 atanh(s), s = x / (2 + x).
  const float s = x / (2.0f + x);
  const float z = s * s;
  const float tail =
      0.333333373f +
      z * (0.199994281f + z * (0.143087819f + z * (0.107097544f + z * 0.121671021f)));
  return 2.0f * (s + s * z * tail);
}

GE_INLINE inline float Softplus(float x) {
  return (x > 0.0f ? x : 0.0f) + Log1pOfFraction(Exp(-std::fabs(x)));
}

// x * tanh(softplus(x)).
GE_INLINE inline float Mish(float x) {
  // With w = exp(x): tanh(log(1 + w)) = n / (n + 2), n = w * (w + 2).
  const float w = Exp(x > 20.0f ? 20.0f : x);
  const float n = w * (w + 2.0f);
  return x * (n / (n + 2.0f));
}

inline double Exp(double x) {
  return std::exp(x);
}
inline double Expm1(double x) {
  return std::expm1(x);
}
inline double Tanh(double x) {
  return std::tanh(x);
}
inline double Sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}
inline double Erf(double x) {
  return std::erf(x);
}
inline double Softplus(double x) {
  return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))) + (x != x ? x : 0);
}
inline double Mish(double x) {
  return x * std::tanh(Softplus(x));
}

}  // namespace ge::vec
