#include "kernels/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "kernels/dispatch.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

constexpr int64_t kGrain = 4096;

// Philox 4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
class Philox {
 public:
  explicit Philox(std::array<uint32_t, 4> key) : key_{key[0], key[1]}, stream_{key[2], key[3]} {}

  std::array<uint32_t, 4> Block(uint64_t index) const {
    std::array<uint32_t, 4> x = {static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32),
                                 stream_[0], stream_[1]};
    std::array<uint32_t, 2> key = key_;
    for (int round = 0; round < 10; ++round) {
      const uint64_t a = uint64_t{0xD2511F53} * x[0], b = uint64_t{0xCD9E8D57} * x[2];
      x = {static_cast<uint32_t>(b >> 32) ^ x[1] ^ key[0], static_cast<uint32_t>(b),
           static_cast<uint32_t>(a >> 32) ^ x[3] ^ key[1], static_cast<uint32_t>(a)};
      key[0] += 0x9E3779B9;
      key[1] += 0xBB67AE85;
    }
    return x;
  }

  // Two numbers in [0, 1) of 53 bits.
  std::pair<double, double> Doubles(uint64_t index) const {
    const std::array<uint32_t, 4> x = Block(index);
    const auto join = [](uint32_t high, uint32_t low) {
      return static_cast<double>(((uint64_t{high} << 32) | low) >> 11) * 0x1p-53;
    };
    return {join(x[0], x[1]), join(x[2], x[3])};
  }

  double Double(uint64_t i) const {
    const auto [first, second] = Doubles(i / 2);
    return i % 2 == 0 ? first : second;
  }

 private:
  std::array<uint32_t, 2> key_;
  std::array<uint32_t, 2> stream_;
};

Philox GeneratorOf(const KernelContext& ctx) {
  const auto seed = static_cast<uint64_t>(ctx.attrs.Int("seed"));
  const auto seed2 = static_cast<uint64_t>(ctx.attrs.Int("seed2"));
  if (seed != 0 || seed2 != 0) {
    return Philox({static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32),
                   static_cast<uint32_t>(seed2), static_cast<uint32_t>(seed2 >> 32)});
  }
  std::random_device chance;
  return Philox({chance(), chance(), chance(), chance()});
}

// Bits of a number in [0, 1) that T holds exactly, so that none is rounded up to 1.
template <typename T>
constexpr int kUniformBits = 24;
template <>
constexpr int kUniformBits<Half> = 11;
template <>
constexpr int kUniformBits<Bf16> = 8;

template <typename T>
void WriteUniform(const Philox& generator, T* y, int64_t count) {
  if constexpr (std::is_same_v<T, double>) {
    ParallelFor(count, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) y[i] = generator.Double(static_cast<uint64_t>(i));
    });
  } else {
    ParallelFor(count / 4 + 1, kGrain / 4, [&](int64_t begin, int64_t end) {
      constexpr int kBits = kUniformBits<T>;
      for (int64_t block = begin; block < end; ++block) {
        const std::array<uint32_t, 4> x = generator.Block(static_cast<uint64_t>(block));
        for (int64_t i = 0; i < 4 && 4 * block + i < count; ++i) {
          const float value = static_cast<float>(x[static_cast<size_t>(i)] >> (32 - kBits));
          y[4 * block + i] = T(std::ldexp(value, -kBits));
        }
      }
    });
  }
}

// Pairs by the method of Box and Muller.
template <typename T>
void WriteNormal(const Philox& generator, T* y, int64_t count) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  ParallelFor(count / 2 + 1, kGrain / 2, [&](int64_t begin, int64_t end) {
    for (int64_t pair = begin; pair < end; ++pair) {
      const auto [first, second] = generator.Doubles(static_cast<uint64_t>(pair));
      const double radius = std::sqrt(-2 * std::log1p(-first));
      const double angle = 2 * std::numbers::pi * second;
      if (2 * pair < count) y[2 * pair] = T(static_cast<Wide>(radius * std::cos(angle)));
      if (2 * pair + 1 < count) y[2 * pair + 1] = T(static_cast<Wide>(radius * std::sin(angle)));
    }
  });
}

// sums[i]: the share of classes 0 to i, of a last sum that is returned; NaN or 0 where no class can
// be drawn.
template <typename T>
double SumRow(const T* logits, std::vector<double>& sums) {
  double largest = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < sums.size(); ++i) {
    largest = std::max(largest, static_cast<double>(logits[i]));
  }
  double sum = 0;
  for (size_t i = 0; i < sums.size(); ++i) {
    sum += std::exp(static_cast<double>(logits[i]) - largest);
    sums[i] = sum;
  }
  return sum;
}

}  // namespace

Status RandomUniform(KernelContext& ctx) {
  const HostTensor& y = ctx.outputs[0];
  const Philox generator = GeneratorOf(ctx);
  const bool known = VisitFloats(
      y.dtype, [&]<typename T>(T) { WriteUniform(generator, y.as<T>(), y.elements()); });
  return known ? Status::Ok() : ctx.NotBuilt();
}

Status RandomStandardNormal(KernelContext& ctx) {
  const HostTensor& y = ctx.outputs[0];
  const Philox generator = GeneratorOf(ctx);
  const bool known =
      VisitFloats(y.dtype, [&]<typename T>(T) { WriteNormal(generator, y.as<T>(), y.elements()); });
  return known ? Status::Ok() : ctx.NotBuilt();
}

Status Multinomial(KernelContext& ctx) {
  const HostTensor &logits = ctx.inputs[0], &y = ctx.outputs[0];
  const auto classes = static_cast<size_t>(logits.shape[1]);
  const int64_t draws = y.shape[1];
  if (y.elements() == 0) return Status::Ok();
  const Philox generator = GeneratorOf(ctx);
  std::vector<double> sums(classes);
  for (int64_t row = 0; row < y.shape[0]; ++row) {
    double sum = 0;
    const bool known = VisitFloats(logits.dtype, [&]<typename T>(T) {
      sum = SumRow(logits.as<T>() + row * logits.shape[1], sums);
    });
    if (!known) return ctx.NotBuilt();
    if (!(sum > 0)) {
      return ctx.Fail("row " + std::to_string(row) + " of the logits has no class to draw");
    }
    for (int64_t i = row * draws; i < (row + 1) * draws; ++i) {
      const double wanted = generator.Double(static_cast<uint64_t>(i)) * sum;
      // Rounding may make the product the whole sum: the last class that has a share, then.
      auto drawn = std::upper_bound(sums.begin(), sums.end(), wanted);
      if (drawn == sums.end()) drawn = std::lower_bound(sums.begin(), sums.end(), sum);
      const bool written = VisitIntegers(
          y.dtype, [&]<typename T>(T) { y.as<T>()[i] = static_cast<T>(drawn - sums.begin()); });
      if (!written) return ctx.NotBuilt();
    }
  }
  return Status::Ok();
}

}  // namespace ge::kernels
