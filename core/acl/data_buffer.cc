#include "acl/shell.h"

using ge::OpBuffer;
using ge::acl::Unwrap;

extern "C" {

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return ge::acl::NewHandle<aclDataBuffer>(OpBuffer{data, size});
}

aclError aclDestroyDataBuffer(const aclDataBuffer* dataBuffer) {
  ACL_CHECK_NOT_NULL(dataBuffer);
  delete Unwrap(dataBuffer);
  return ACL_SUCCESS;
}

aclError aclUpdateDataBuffer(aclDataBuffer* dataBuffer, void* data, size_t size) {
  ACL_CHECK_NOT_NULL(dataBuffer);
  *Unwrap(dataBuffer) = {data, size};
  return ACL_SUCCESS;
}

void* aclGetDataBufferAddr(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? nullptr : Unwrap(dataBuffer)->data;
}

uint32_t aclGetDataBufferSize(const aclDataBuffer* dataBuffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(dataBuffer));
}

size_t aclGetDataBufferSizeV2(const aclDataBuffer* dataBuffer) {
  return dataBuffer == nullptr ? 0 : Unwrap(dataBuffer)->bytes;
}

size_t aclDataTypeSize(aclDataType dataType) {
  return ge::api::AclDtypeSize(dataType);
}

float aclFloat16ToFloat(aclFloat16 value) {
  return ge::api::AclFp16ToFloat(value);
}

aclFloat16 aclFloatToFloat16(float value) {
  return ge::api::AclFloatToFp16(value);
}

}  // extern "C"
