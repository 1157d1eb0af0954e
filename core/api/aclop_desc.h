#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "api/export.h"
#include "base/small_vector.h"

// What the single-operator API describes operators with.  Numbers of data types and formats are
// kept as the caller gives them: which of them make sense is found out when an operator is
// compiled.
namespace ge {

inline constexpr int32_t kUndefinedNumber = -1;  // of a data type or format

// Where the data of a tensor is when an operator is executed.
enum class OpPlacement : int32_t {
  kDevice = 0,
  kHost = 1,                    // its bytes are a constant for compiling
  kHostCompileIndependent = 2,  // they are not
};

struct DimRange {
  int64_t least = 0;
  int64_t most = -1;  // -1: no limit
  bool operator==(const DimRange&) const = default;
};

// A tensor: aclTensorDesc.
struct OpTensorDesc {
  int32_t dtype = kUndefinedNumber;
  int32_t format = kUndefinedNumber;          // of the tensor as it is meant: its origin format
  int32_t storage_format = kUndefinedNumber;  // in memory, where it is another one
  int32_t placement = 0;                      // an OpPlacement, or any other number
  SmallVector<int64_t, 4> dims;               // -1: not known; first dim -2: rank not known
  SmallVector<int64_t, 4> storage_dims;
  std::vector<DimRange> shape_range;
  std::vector<DimRange> value_range;
  std::string name;
  std::string dynamic_input;  // neighbouring inputs of one such name are one dynamic input
  // Set: a constant with these bytes.
  std::shared_ptr<const std::vector<uint8_t>> constant;

  bool is_const() const { return constant != nullptr; }
  // An optional input that is left out.
  bool is_absent() const {
    return dtype == kUndefinedNumber && format == kUndefinedNumber && dims.empty();
  }
};

// Memory of the caller: aclDataBuffer.
struct OpBuffer {
  void* data = nullptr;
  size_t bytes = 0;
};

struct OpDtype {
  int32_t number = 0;
  bool operator==(const OpDtype&) const = default;
};

// A list of bools holds a byte each.
using OpAttr = std::variant<bool, int64_t, float, std::string, OpDtype, std::vector<uint8_t>,
                            std::vector<int64_t>, std::vector<float>, std::vector<std::string>,
                            std::vector<OpDtype>, std::vector<std::vector<int64_t>>>;

// Attributes in byte order of their names: aclopAttr.
class OpAttrs {
 public:
  using Map = std::map<std::string, OpAttr, std::less<>>;

  // Replaces value and kind.
  template <typename T>
  void Set(std::string_view name, T value) {
    values_.insert_or_assign(std::string(name), OpAttr(std::in_place_type<T>, std::move(value)));
  }
  const OpAttr* Find(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  // Whether there was one.
  bool Remove(std::string_view name) {
    const auto found = values_.find(name);
    if (found == values_.end()) return false;
    values_.erase(found);
    return true;
  }
  const Map& values() const { return values_; }

 private:
  Map values_;
};

namespace api {

// Bytes of an element as aclDataTypeSize says: 0 for undefined and strings, whole bytes for
// narrower types, 8 for any number that is no data type.
GE_API size_t AclDtypeSize(int32_t dtype);
// 0 when a dim is negative or the product does not fit 64 bits.
GE_API size_t AclElements(const OpTensorDesc& desc);
GE_API size_t AclBytes(const OpTensorDesc& desc);
// Whether the memory of the tensor is of a format that cuts axes into blocks, while its dims are
// those of a plain one.
GE_API bool IsStoredInBlocks(const OpTensorDesc& desc);
// What is in memory: the tensor itself, or its blocks.  Dims that are not known are those of desc.
GE_API SmallVector<int64_t, 4> MemoryDims(const OpTensorDesc& desc);
GE_API size_t MemoryBytes(const OpTensorDesc& desc);
// As the hardware converts: exponent 31 is an ordinary exponent, values beyond the range saturate.
GE_API float AclFp16ToFloat(uint16_t value);
GE_API uint16_t AclFloatToFp16(float value);
// "{axes = [0, 1], keep_dims = True}"
GE_API std::string AclAttrsText(const OpAttrs& attrs);

}  // namespace api
}  // namespace ge
