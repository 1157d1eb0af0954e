#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kernels/simd.h"

// Functions that the compiler vectorises when they stand in a loop (kernels/simd.h): polynomials in
// float without branches, with an error of at most 2.4 units in the last place (Softplus 2.8;
// Mish 4.5 where exp(x) is normal), subnormal results included.  They give the same bits on every
// machine.  In double they are those of <cmath>.
namespace ge::vec {

namespace internal {

GE_INLINE inline int32_t BitsOf(float x) {
  return std::bit_cast<int32_t>(x);
}
GE_INLINE inline float FromBits(int32_t bits) {
  return std::bit_cast<float>(bits);
}
// On bits of floats: wraps, unlike signed arithmetic.
GE_INLINE inline int32_t Plus(int32_t a, int32_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
// 2^n for n in [-126, 127], which is given in the place of a float's exponent.
GE_INLINE inline float PowerOfTwo(int32_t exponent) {
  return FromBits(Plus(exponent, BitsOf(1.0f)));
}

// exp(x) = 2^n * (1 + tail) with |tail| < 0.42, for x >= -150 or NaN.  Where n would be more than
// 128 it is 128, and the tail is large.
struct Reduced {
  int32_t exponent;  // n - 1, in the place of a float's exponent
  float tail;
};

GE_INLINE inline Reduced Reduce(float x) {
  constexpr float kLog2E = 1.44269504f;
  // log(2) in two parts, the first of which has few enough digits for exact products with n.
  constexpr float kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits; one less leaves n - 1.
  constexpr float kMagic = 12582911.0f;
  // As integers, which order positive floats in the same way: one instruction, and NaN stays
  // because the remainder is taken from x.
  const int32_t sum = BitsOf(x * kLog2E + kMagic), most = BitsOf(kMagic + 128.0f);
  const float shifted = FromBits(sum < most ? sum : most);
  const float n = shifted - kMagic;
  const float r = (x - n * kLn2High) - n * kLn2Low;
  // (exp(r) - 1 - r) / r^2, fitted on |r| <= log(2) / 2.
  const float z = r * r;
  const float q =
      (0.5f + r * 0.166665211f) + z * ((0.0416683890f + r * 0.00836871564f) + z * 0.00138146023f);
  return {static_cast<int32_t>(std::bit_cast<uint32_t>(shifted) << 23), r + z * q};
}

}  // namespace internal

GE_INLINE inline float Exp(float x) {
  x = x < -104.0f ? -104.0f : x;
  const internal::Reduced e = internal::Reduce(x);
  // In two steps, so that subnormal results are rounded once and 2^128 does not overflow.
  constexpr int32_t kLeast = -125 * (1 << 23);
  const int32_t first = e.exponent > kLeast ? e.exponent : kLeast;
  const int32_t rest = internal::Plus(e.exponent, -first);
  return (1.0f + e.tail) * internal::PowerOfTwo(first) *
         internal::FromBits(internal::Plus(rest, internal::BitsOf(2.0f)));
}

// exp(x) - 1.
GE_INLINE inline float Expm1(float x) {
  x = x < -30.0f ? -30.0f : x;
  const internal::Reduced e = internal::Reduce(x);
  const float half_power = internal::PowerOfTwo(e.exponent);
  return (half_power * e.tail + (half_power - 0.5f)) * 2.0f;
}

GE_INLINE inline float Tanh(float x) {
  const float magnitude = std::fabs(x), z = x * x;
  const float near =
      x + x * z * (-0.333329469f + z * (0.133207247f + z * (-0.0526718125f + z * 0.0164375808f)));
  // 1 - 2 / (exp(2 |x|) + 1), which is 1 from 9.02 on.
  const int32_t bits = internal::BitsOf(magnitude), most = internal::BitsOf(10.0f);
  const internal::Reduced e =
      internal::Reduce(2.0f * internal::FromBits(bits < most ? bits : most));
  const float half = (1.0f + e.tail) * internal::PowerOfTwo(e.exponent);
  const float far = 1.0f - 1.0f / (half + 0.5f);
  return std::copysign(magnitude >= 0.55f ? far : near, x);  // near gives 0 for -0
}

GE_INLINE inline float Sigmoid(float x) {
  const float e = Exp(-std::fabs(x));
  return (x < 0.0f ? e : 1.0f) / (1.0f + e);
}

GE_INLINE inline float Erf(float x) {
  const float magnitude = std::fabs(x), z = x * x;
  const float near =
      0.128379136f +
      z * (-0.376124799f +
           z * (0.112821937f +
                z * (-0.0268049128f +
                     z * (0.00510999095f + z * (-0.000742607052f + z * 6.20239807e-05f)))));
  // (1 - erf(a))^(-1/16) on a in [1.25, 3.95]; beyond, its power is so large that erf is 1.
  const float a = magnitude;
  float root =
      1.00115395f +
      a * (0.0659762919f +
           a * (0.0497698262f +
                a * (0.00266608293f +
                     a * (0.00344214588f + a * (-0.000599480816f + a * 0.000140105345f)))));
  root *= root;
  root *= root;
  root *= root;
  const float far = 1.0f - 1.0f / (root * root);
  return magnitude >= 1.25f ? std::copysign(far, x) : x + x * near;
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
