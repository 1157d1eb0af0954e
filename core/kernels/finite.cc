#include "kernels/finite.h"

#include "kernels/simd.h"

namespace ge::kernels {
namespace {

// Whether the exponent bits are all set in none of the elements.
template <typename Bits>
bool NoneHas(Bits exponent, const void* data, int64_t elements) {
  const auto* const bits = static_cast<const Bits*>(data);
  bool found = false;
  Vectorised([=, &found]() GE_INLINE {
    Bits any = 0;
    for (int64_t i = 0; i < elements; ++i) {
      any |= static_cast<Bits>((bits[i] & exponent) == exponent);
    }
    found = any != 0;
  });
  return !found;
}

}  // namespace

bool AllFinite(DataType dtype, const void* data, int64_t elements) {
  switch (dtype) {
    case DataType::kFloat:
      return NoneHas<uint32_t>(0x7f80'0000, data, elements);
    case DataType::kFloat16:
      return NoneHas<uint16_t>(0x7c00, data, elements);
    case DataType::kBf16:
      return NoneHas<uint16_t>(0x7f80, data, elements);
    case DataType::kDouble:
      return NoneHas<uint64_t>(0x7ff0'0000'0000'0000, data, elements);
    default:
      return true;
  }
}

}  // namespace ge::kernels
