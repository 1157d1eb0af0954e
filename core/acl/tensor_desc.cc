#include <algorithm>

#include "acl/shell.h"

using ge::DimRange;
using ge::OpTensorDesc;
using ge::acl::Guard;
using ge::acl::NewHandle;
using ge::acl::Unwrap;

namespace {

std::vector<DimRange> Ranges(size_t count, const int64_t (*ranges)[2]) {
  std::vector<DimRange> list;
  for (size_t i = 0; ranges != nullptr && i < count; ++i) {
    list.push_back({ranges[i][0], ranges[i][1]});
  }
  return list;
}

// A negative number of dims: none.
void Assign(ge::SmallVector<int64_t, 4>& dims, int count, const int64_t* values) {
  dims = ge::SmallVector<int64_t, 4>(
      std::span<const int64_t>(values, static_cast<size_t>(std::max(count, 0))));
}

}  // namespace

extern "C" {

aclTensorDesc* aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t* dims,
                                   aclFormat format) {
  if (numDims < 0) {
    ge::acl::FailValue(__func__, "numDims", std::to_string(numDims), "it must not be negative");
    return nullptr;
  }
  if (numDims > 0 && dims == nullptr) {
    ge::acl::FailNull(__func__, "dims");
    return nullptr;
  }
  try {
    OpTensorDesc desc;
    desc.dtype = dataType;
    desc.format = format;
    Assign(desc.dims, numDims, dims);
    return NewHandle<aclTensorDesc>(std::move(desc));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) {
  delete Unwrap(desc);
}

aclError aclSetTensorShapeRange(aclTensorDesc* desc, size_t dimsCount,
                                int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]) {
  ACL_CHECK_NOT_NULL(desc);
  return Guard([&] {
    Unwrap(desc)->shape_range = Ranges(dimsCount, dimsRange);
    return ACL_SUCCESS;
  });
}

aclError aclSetTensorValueRange(aclTensorDesc* desc, size_t valueCount,
                                int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]) {
  ACL_CHECK_NOT_NULL(desc);
  return Guard([&] {
    Unwrap(desc)->value_range = Ranges(valueCount, valueRange);
    return ACL_SUCCESS;
  });
}

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) {
  return desc == nullptr ? ACL_DT_UNDEFINED : static_cast<aclDataType>(Unwrap(desc)->dtype);
}

aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return desc == nullptr ? ACL_FORMAT_UNDEFINED : static_cast<aclFormat>(Unwrap(desc)->format);
}

size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return desc == nullptr ? 0 : ge::api::AclBytes(*Unwrap(desc));
}

size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) {
  return desc == nullptr ? 0 : ge::api::AclElements(*Unwrap(desc));
}

size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) {
  if (desc == nullptr) return 0;
  const auto& dims = Unwrap(desc)->dims;
  return !dims.empty() && dims[0] == -2 ? ACL_UNKNOWN_RANK : dims.size();
}

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  int64_t dim = -1;
  static_cast<void>(aclGetTensorDescDimV2(desc, index, &dim));
  return dim;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dimSize) {
  ACL_CHECK_NOT_NULL(desc);
  ACL_CHECK_NOT_NULL(dimSize);
  const auto& dims = Unwrap(desc)->dims;
  if (index >= dims.size()) {
    return ge::acl::FailValue(__func__, "index", std::to_string(index),
                              "the tensor has " + std::to_string(dims.size()) + " dims");
  }
  *dimSize = dims[index];
  return ACL_SUCCESS;
}

aclError aclGetTensorDescDimRange(const aclTensorDesc* desc, size_t index, size_t dimRangeNum,
                                  int64_t* dimRange) {
  ACL_CHECK_NOT_NULL(desc);
  ACL_CHECK_NOT_NULL(dimRange);
  const std::vector<DimRange>& ranges = Unwrap(desc)->shape_range;
  if (index >= ranges.size()) {
    return ge::acl::FailValue(__func__, "index", std::to_string(index),
                              "the tensor has " + std::to_string(ranges.size()) + " ranges");
  }
  if (dimRangeNum < ACL_TENSOR_SHAPE_RANGE_NUM) {
    return ge::acl::FailValue(__func__, "dimRangeNum", std::to_string(dimRangeNum),
                              "a range has two numbers");
  }
  dimRange[0] = ranges[index].least;
  dimRange[1] = ranges[index].most;
  return ACL_SUCCESS;
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  if (desc == nullptr) return;
  static_cast<void>(Guard([&] {
    Unwrap(desc)->name = name == nullptr ? "" : name;
    return ACL_SUCCESS;
  }));
}

const char* aclGetTensorDescName(aclTensorDesc* desc) {
  return desc == nullptr ? "" : Unwrap(desc)->name.c_str();
}

aclError aclTransTensorDescFormat(const aclTensorDesc* srcDesc, aclFormat,
                                  aclTensorDesc** dstDesc) {
  ACL_CHECK_NOT_NULL(srcDesc);
  ACL_CHECK_NOT_NULL(dstDesc);
  return ge::acl::Fail(ACL_ERROR_API_NOT_SUPPORT,
                       "EH0006: aclTransTensorDescFormat is not supported on the host. Create a "
                       "description of the target format with aclCreateTensorDesc.");
}

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  if (desc != nullptr) Unwrap(desc)->storage_format = format;
  return ACL_SUCCESS;
}

aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return aclSetTensorFormat(desc, format);
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  if (desc != nullptr) Unwrap(desc)->format = format;
  return ACL_SUCCESS;
}

aclError aclSetTensorShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  ACL_CHECK_NOT_NULL(desc);
  ACL_CHECK_NOT_NULL(dims);
  return Guard([&] {
    Assign(Unwrap(desc)->storage_dims, numDims, dims);
    return ACL_SUCCESS;
  });
}

aclError aclSetTensorStorageShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  return aclSetTensorShape(desc, numDims, dims);
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int numDims, const int64_t* dims) {
  ACL_CHECK_NOT_NULL(desc);
  ACL_CHECK_NOT_NULL(dims);
  return Guard([&] {
    Assign(Unwrap(desc)->dims, numDims, dims);
    return ACL_SUCCESS;
  });
}

aclTensorDesc* aclGetTensorDescByIndex(aclTensorDesc* desc, size_t index) {
  if (desc == nullptr) ge::acl::FailNull(__func__, "desc");
  if (desc == nullptr || index != 0) return nullptr;
  return desc;
}

void* aclGetTensorDescAddress(const aclTensorDesc* desc) {
  if (desc == nullptr) ge::acl::FailNull(__func__, "desc");
  return nullptr;
}

aclError aclSetTensorDynamicInput(aclTensorDesc* desc, const char* dynamicInputName) {
  ACL_CHECK_NOT_NULL(desc);
  ACL_CHECK_NOT_NULL(dynamicInputName);
  return Guard([&] {
    Unwrap(desc)->dynamic_input = dynamicInputName;
    return ACL_SUCCESS;
  });
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* dataBuffer, size_t length) {
  ACL_CHECK_NOT_NULL(desc);
  ACL_CHECK_NOT_NULL(dataBuffer);
  if (length == 0) return ge::acl::FailValue(__func__, "length", "0", "it must be greater than 0");
  return Guard([&] {
    const auto* bytes = static_cast<const uint8_t*>(dataBuffer);
    Unwrap(desc)->constant = std::make_shared<const std::vector<uint8_t>>(bytes, bytes + length);
    return ACL_SUCCESS;
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType memType) {
  ACL_CHECK_NOT_NULL(desc);
  Unwrap(desc)->placement = memType;
  return ACL_SUCCESS;
}

}  // extern "C"
