#include "passes/scaled_const.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/dispatch.h"
#include "kernels/simd.h"

namespace ge {
namespace {

double SmallestNormal(DataType dtype) {
  switch (dtype) {
    case DataType::kFloat16:
      return 0x1p-14;
    case DataType::kDouble:
      return std::numeric_limits<double>::min();
    default:
      return std::numeric_limits<float>::min();  // bfloat16 has the exponents of float32
  }
}

// Element i of memory that need not be aligned.
template <typename T>
GE_INLINE inline T At(const uint8_t* data, size_t i) {
  T element;
  std::memcpy(&element, data + i * sizeof(T), sizeof(T));
  return element;
}

template <typename T>
GE_INLINE inline T Scaled(T weight, double scale) {
  return static_cast<T>(static_cast<double>(weight) * scale);
}

// The largest magnitude; NaN if there is one.
template <typename T>
double LargestOf(const uint8_t* weights, size_t count) {
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t,
                                  std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  // Bits without the sign sort like the numbers, NaN behind them.
  constexpr Bits kNoSign = static_cast<Bits>(~Bits{0}) >> 1;
  Bits largest = 0;
  Vectorised([&]() GE_INLINE {
    for (size_t i = 0; i < count; ++i) {
      largest = std::max(largest, static_cast<Bits>(At<Bits>(weights, i) & kNoSign));
    }
  });
  return static_cast<double>(std::bit_cast<T>(largest));
}

struct ScaledRows {
  Buffer source;
  DataType dtype;
  size_t run;  // elements of a row
  std::vector<RowScale> rows;

  void Fill(size_t offset, std::span<uint8_t> out) const {
    VisitFloats(dtype, [&]<typename T>(T) {
      const uint8_t* from = source.bytes().data() + offset;
      size_t element = offset / sizeof(T);
      for (uint8_t *to = out.data(), *end = to + out.size(); to < end;) {
        const size_t row = element / run;
        const size_t count =
            std::min(run - element % run, static_cast<size_t>(end - to) / sizeof(T));
        const double factor = rows[row].scale;
        Vectorised([&]() GE_INLINE {
          for (size_t i = 0; i < count; ++i) {
            const T weight = Scaled(At<T>(from, i), factor);
            std::memcpy(to + i * sizeof(T), &weight, sizeof(T));
          }
        });
        element += count;
        from += count * sizeof(T);
        to += count * sizeof(T);
      }
    });
  }
};

}  // namespace

bool IsScalableFloat(DataType dtype) {
  return VisitFloats(dtype, [](auto) {});
}

std::optional<Buffer> ScaledConst(const Node& constant, std::vector<RowScale> rows,
                                  size_t channels) {
  const TensorDesc& desc = constant.output(0);
  const size_t run = static_cast<size_t>(*desc.shape.elements()) / std::max<size_t>(rows.size(), 1);
  ScaledRows scaled = {constant.value(), desc.dtype, run, std::move(rows)};
  std::vector<double> largest(channels, 0.0);
  bool finite = true;
  VisitFloats(desc.dtype, [&]<typename T>(T) {
    const uint8_t* weights = scaled.source.bytes().data();
    for (const auto& [scale, channel] : scaled.rows) {
      const T most = static_cast<T>(LargestOf<T>(weights, run));
      finite &= std::isfinite(static_cast<double>(Scaled(most, scale)));
      largest[channel] = std::max(largest[channel], std::fabs(static_cast<double>(most) * scale));
      weights += run * sizeof(T);
    }
  });
  const double least = SmallestNormal(desc.dtype);
  const auto is_subnormal = [&](double most) { return most > 0 && most < least; };
  if (!finite || std::any_of(largest.begin(), largest.end(), is_subnormal)) return std::nullopt;
  const size_t size = scaled.source.size();
  return Buffer::Compute(size, [scaled = std::move(scaled)](size_t offset, std::span<uint8_t> out) {
    scaled.Fill(offset, out);
  });
}

std::vector<uint8_t> Rounded(const std::vector<double>& numbers, DataType dtype) {
  std::vector<uint8_t> bytes;
  VisitFloats(dtype, [&]<typename T>(T) {
    bytes.resize(numbers.size() * sizeof(T));
    for (size_t i = 0; i < numbers.size(); ++i) {
      const T value = static_cast<T>(numbers[i]);
      if (!std::isfinite(static_cast<double>(value))) {
        bytes.clear();
        return;
      }
      std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
    }
  });
  return bytes;
}

}  // namespace ge
