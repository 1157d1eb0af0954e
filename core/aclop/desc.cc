#include <bit>
#include <cmath>

#include "api/aclop_desc.h"
#include "base/dtype.h"
#include "kernels/storage_layout.h"

namespace ge::api {
namespace {

constexpr size_t kUnknownDtypeBytes = 8;

// Product in 64 bits, 0 when it does not fit.
size_t Times(size_t a, size_t b) {
  size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? 0 : product;
}

// Numbers that the public API knows, and whose elements it gives a size of their own.
bool HasAclSize(DataType dtype) {
  switch (dtype) {
    case DataType::kResource:
    case DataType::kInt2:
    case DataType::kUint2:
    case DataType::kFloat6E3m2:
    case DataType::kFloat6E2m3:
    case DataType::kFloat4E2m1:
    case DataType::kFloat4E1m2:
    case DataType::kHifloat4:
      return false;
    default:
      return RowOf(dtype).bits != 0;
  }
}

size_t ElementsOf(const SmallVector<int64_t, 4>& dims) {
  size_t elements = 1;
  for (const int64_t dim : dims) {
    if (dim < 0) return 0;
    elements = Times(elements, static_cast<size_t>(dim));
    if (elements == 0) return 0;
  }
  return elements;
}

}  // namespace

size_t AclDtypeSize(int32_t dtype) {
  if (dtype == kUndefinedNumber || dtype == static_cast<int32_t>(DataType::kString)) return 0;
  if (dtype < 0 || dtype > static_cast<int32_t>(DataType::kHifloat4)) return kUnknownDtypeBytes;
  const auto known = static_cast<DataType>(dtype);
  if (!HasAclSize(known)) return kUnknownDtypeBytes;
  return static_cast<size_t>((RowOf(known).bits + 7) / 8);
}

size_t AclElements(const OpTensorDesc& desc) {
  return ElementsOf(desc.dims);
}

size_t AclBytes(const OpTensorDesc& desc) {
  return Times(AclElements(desc), AclDtypeSize(desc.dtype));
}

bool IsStoredInBlocks(const OpTensorDesc& desc) {
  return desc.storage_format != desc.format && desc.storage_format != kUndefinedNumber &&
         IsBlocked(static_cast<Format>(desc.storage_format));
}

SmallVector<int64_t, 4> MemoryDims(const OpTensorDesc& desc) {
  if (!IsStoredInBlocks(desc)) return desc.dims;
  const std::optional<Shape> shape =
      StorageShape(static_cast<Format>(desc.storage_format), static_cast<Format>(desc.format),
                   Shape(std::span<const int64_t>(desc.dims)), static_cast<DataType>(desc.dtype));
  return shape ? SmallVector<int64_t, 4>(shape->dims()) : desc.dims;
}

size_t MemoryBytes(const OpTensorDesc& desc) {
  if (!IsStoredInBlocks(desc)) return AclBytes(desc);
  return Times(ElementsOf(MemoryDims(desc)), AclDtypeSize(desc.dtype));
}

float AclFp16ToFloat(uint16_t value) {
  const float sign = (value & 0x8000) != 0 ? -1.0f : 1.0f;
  const int exponent = value >> 10 & 0x1f;
  const auto mantissa = static_cast<float>(value & 0x3ff);
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  return sign * std::ldexp(1024.0f + mantissa, exponent - 25);
}

uint16_t AclFloatToFp16(float value) {
  constexpr uint32_t kGreatest = 0x7bff;
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t exponent = bits >> 23 & 0xff;
  // A NaN becomes the greatest number as well; its sign does not count.
  if (exponent == 0xff) {
    return static_cast<uint16_t>((std::isnan(value) ? 0 : sign) | kGreatest);
  }
  const float magnitude = std::fabs(value);
  if (magnitude >= 65504.0f) return static_cast<uint16_t>(sign | kGreatest);
  if (magnitude == 0.0f) return static_cast<uint16_t>(sign);  // it has no exponent
  // In units of the last place, rounded to even.
  int scale = 0;
  std::frexp(magnitude, &scale);  // magnitude < 2^scale
  const int unit = std::max(scale - 11, -24);
  const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // Units count from 2^10 on in normal numbers, so that a carry into the exponent comes by itself.
  const uint32_t half = unit == -24 ? units : (static_cast<uint32_t>(unit + 24) << 10) + units;
  return static_cast<uint16_t>(sign | std::min(half, kGreatest));
}

}  // namespace ge::api
