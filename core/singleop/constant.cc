#include <cmath>
#include <cstring>
#include <limits>

#include "base/dtype.h"
#include "kernels/convert.h"
#include "singleop/tensor.h"

namespace ge::singleop {
namespace {

using Bytes = std::vector<uint8_t>;

template <typename T>
void Append(T value, Bytes& bytes) {
  const size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, &value, sizeof(T));
}

// False when T cannot hold the number.
template <typename T>
bool AppendInteger(const nlohmann::json& number, Bytes& bytes) {
  const auto fits = [](auto value) { return std::in_range<T>(value); };
  if (number.is_number_unsigned()) {
    if (!fits(number.get<uint64_t>())) return false;
    Append(static_cast<T>(number.get<uint64_t>()), bytes);
  } else if (number.is_number_integer()) {
    if (!fits(number.get<int64_t>())) return false;
    Append(static_cast<T>(number.get<int64_t>()), bytes);
  } else {  // 2.0, 1e3
    const auto value = number.get<double>();
    constexpr double kLeast = static_cast<double>(std::numeric_limits<T>::min());
    constexpr double kBeyond = 2 * (static_cast<double>(std::numeric_limits<T>::max() / 2) + 1);
    if (value != std::floor(value) || value < kLeast || value >= kBeyond) return false;
    Append(static_cast<T>(value), bytes);
  }
  return true;
}

bool AppendFloat(DataType dtype, const nlohmann::json& number, Bytes& bytes) {
  const auto value = number.get<double>();
  const auto narrow = static_cast<float>(value);
  if (dtype == DataType::kDouble) {
    Append(value, bytes);
    return true;
  }
  if (dtype == DataType::kFloat) {
    Append(narrow, bytes);
    return std::isfinite(narrow);
  }
  const bool half = dtype == DataType::kFloat16;
  const uint16_t bits = half ? FloatToHalf(narrow) : FloatToBf16(narrow);
  Append(bits, bytes);
  return std::isfinite(half ? HalfToFloat(bits) : Bf16ToFloat(bits));
}

// False when the type cannot hold the number; nullopt when no constant is of the type.
std::optional<bool> AppendNumber(DataType dtype, const nlohmann::json& number, Bytes& bytes) {
  switch (dtype) {
    case DataType::kInt8:
      return AppendInteger<int8_t>(number, bytes);
    case DataType::kUint8:
      return AppendInteger<uint8_t>(number, bytes);
    case DataType::kInt16:
      return AppendInteger<int16_t>(number, bytes);
    case DataType::kUint16:
      return AppendInteger<uint16_t>(number, bytes);
    case DataType::kInt32:
      return AppendInteger<int32_t>(number, bytes);
    case DataType::kUint32:
      return AppendInteger<uint32_t>(number, bytes);
    case DataType::kInt64:
      return AppendInteger<int64_t>(number, bytes);
    case DataType::kUint64:
      return AppendInteger<uint64_t>(number, bytes);
    case DataType::kBool:
      return AppendInteger<uint8_t>(number, bytes) && bytes.back() <= 1;
    case DataType::kFloat16:
    case DataType::kBf16:
    case DataType::kFloat:
    case DataType::kDouble:
      return AppendFloat(dtype, number, bytes);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::shared_ptr<const Bytes> ReadConstant(const Spot& spot, int32_t dtype, size_t elements,
                                          Notes& notes) {
  const auto type = static_cast<DataType>(dtype);
  const std::string type_name(UserName(type));
  auto bytes = std::make_shared<Bytes>();
  if (!AppendNumber(type, 0, *bytes)) {
    notes.Fail(ErrorId::kE13006, spot,
               "constants of type " + type_name +
                   " are not supported; they may be bool, float16, bfloat16, float32, double, or "
                   "integers of 8 to 64 bits");
    return nullptr;
  }
  bytes->clear();
  if (!spot.value->is_list()) {
    notes.Fail(ErrorId::kE10032, spot, "it is " + spot.value->Described() + ", not a list");
    return nullptr;
  }
  const std::vector<JsonValue>& items = spot.value->items;
  if (items.size() != elements) {
    notes.Fail(ErrorId::kE13014, spot,
               "it has " + std::to_string(items.size()) + " numbers, but [shape] has " +
                   std::to_string(elements) + " elements");
    return nullptr;
  }
  for (size_t i = 0; i < items.size(); ++i) {
    const nlohmann::json& number = items[i].scalar;
    if (!number.is_number()) {
      notes.Fail(ErrorId::kE10032, spot.Item(i),
                 "it is " + items[i].Described() + ", not a number");
      return nullptr;
    }
    if (!*AppendNumber(type, number, *bytes)) {
      notes.Fail(ErrorId::kE13014, spot.Item(i),
                 type_name + " cannot hold " + items[i].Described());
      return nullptr;
    }
  }
  return bytes;
}

}  // namespace ge::singleop
