#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "acl/shell.h"
#include "acl/stream.h"

using ge::AclStatus;
using ge::acl::Stream;

namespace {

constexpr size_t kAlignment = 64;

aclError Allocate(const char* function, void** pointer, size_t size) {
  if (size == 0) return ge::acl::FailValue(function, "size", "0", "it must be greater than 0");
  // As on a device, a little more than was asked for may be touched.
  const size_t bytes = (size + 2 * kAlignment - 1) / kAlignment * kAlignment;
  void* const memory = bytes < size ? nullptr : std::aligned_alloc(kAlignment, bytes);
  if (memory == nullptr) {
    return ge::acl::Fail(
        ACL_ERROR_RT_MEMORY_ALLOCATION,
        std::string(function) + ": there are no " + std::to_string(size) + " bytes of memory.");
  }
  *pointer = memory;
  return ACL_SUCCESS;
}

aclError CheckRange(const char* function, size_t most, size_t count) {
  if (count <= most) return ACL_SUCCESS;
  return ge::acl::FailValue(function, "count", std::to_string(count),
                            "the target has " + std::to_string(most) + " bytes");
}

aclError CheckCopy(const char* function, size_t most, size_t count, aclrtMemcpyKind kind) {
  if (kind < ACL_MEMCPY_HOST_TO_HOST || kind > ACL_MEMCPY_DEFAULT) {
    return ge::acl::FailValue(function, "kind", std::to_string(kind), "0 to 4 are accepted");
  }
  return CheckRange(function, most, count);
}

// `height` rows of `width` bytes, which are dpitch and spitch bytes apart.
aclError CheckRows(const char* function, size_t dpitch, size_t spitch, size_t width, size_t height,
                   aclrtMemcpyKind kind) {
  const aclError code = CheckCopy(function, width, width, kind);
  if (code != ACL_SUCCESS) return code;
  if (width == 0 || height == 0) {
    return ge::acl::FailValue(function, width == 0 ? "width" : "height", "0",
                              "it must be greater than 0");
  }
  if (width <= dpitch && width <= spitch) return ACL_SUCCESS;
  return ge::acl::FailValue(
      function, "width", std::to_string(width),
      "rows are " + std::to_string(std::min(dpitch, spitch)) + " bytes apart");
}

void CopyRows(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
              size_t height) {
  for (size_t row = 0; row < height; ++row) {
    std::memmove(static_cast<char*>(dst) + row * dpitch,
                 static_cast<const char*>(src) + row * spitch, width);
  }
}

}  // namespace

extern "C" {

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  ACL_CHECK_NOT_NULL(devPtr);
  return Allocate(__func__, devPtr, size);
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  ACL_CHECK_NOT_NULL(devPtr);
  return Allocate(__func__, devPtr, size);
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy) {
  ACL_CHECK_NOT_NULL(devPtr);
  return Allocate(__func__, devPtr, size);
}

// There is no cache between host and device.
aclError aclrtMemFlush(void* devPtr, size_t) {
  ACL_CHECK_NOT_NULL(devPtr);
  return ACL_SUCCESS;
}

aclError aclrtMemInvalidate(void* devPtr, size_t) {
  ACL_CHECK_NOT_NULL(devPtr);
  return ACL_SUCCESS;
}

aclError aclrtFree(void* devPtr) {
  ACL_CHECK_NOT_NULL(devPtr);
  std::free(devPtr);
  return ACL_SUCCESS;
}

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  ACL_CHECK_NOT_NULL(hostPtr);
  return Allocate(__func__, hostPtr, size);
}

aclError aclrtFreeHost(void* hostPtr) {
  ACL_CHECK_NOT_NULL(hostPtr);
  std::free(hostPtr);
  return ACL_SUCCESS;
}

aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count,
                     aclrtMemcpyKind kind) {
  ACL_CHECK_NOT_NULL(dst);
  ACL_CHECK_NOT_NULL(src);
  const aclError code = CheckCopy(__func__, destMax, count, kind);
  if (code == ACL_SUCCESS) std::memmove(dst, src, count);
  return code;
}

aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count,
                          aclrtMemcpyKind kind, aclrtStream stream) {
  ACL_CHECK_NOT_NULL(dst);
  ACL_CHECK_NOT_NULL(src);
  const aclError code = CheckCopy(__func__, destMax, count, kind);
  if (code != ACL_SUCCESS) return code;
  return ge::acl::OnStream(stream, [&](Stream& found) {
    return found.Do(count, [dst, src, count] {
      std::memmove(dst, src, count);
      return AclStatus();
    });
  });
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  ACL_CHECK_NOT_NULL(dst);
  ACL_CHECK_NOT_NULL(src);
  const aclError code = CheckRows(__func__, dpitch, spitch, width, height, kind);
  if (code == ACL_SUCCESS) CopyRows(dst, dpitch, src, spitch, width, height);
  return code;
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  ACL_CHECK_NOT_NULL(dst);
  ACL_CHECK_NOT_NULL(src);
  const aclError code = CheckRows(__func__, dpitch, spitch, width, height, kind);
  if (code != ACL_SUCCESS) return code;
  return ge::acl::OnStream(stream, [&](Stream& found) {
    return found.Do(width * height, [dst, dpitch, src, spitch, width, height] {
      CopyRows(dst, dpitch, src, spitch, width, height);
      return AclStatus();
    });
  });
}

aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count) {
  ACL_CHECK_NOT_NULL(devPtr);
  const aclError code = CheckRange(__func__, maxCount, count);
  if (code == ACL_SUCCESS) std::memset(devPtr, value, count);
  return code;
}

aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count,
                          aclrtStream stream) {
  ACL_CHECK_NOT_NULL(devPtr);
  const aclError code = CheckRange(__func__, maxCount, count);
  if (code != ACL_SUCCESS) return code;
  return ge::acl::OnStream(stream, [&](Stream& found) {
    return found.Do(count, [devPtr, value, count] {
      std::memset(devPtr, value, count);
      return AclStatus();
    });
  });
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total) {
  ACL_CHECK_NOT_NULL(free);
  ACL_CHECK_NOT_NULL(total);
  struct sysinfo info;
  if (sysinfo(&info) != 0) {
    return ge::acl::Fail(ACL_ERROR_RT_INTERNAL_ERROR, "The system does not say its memory.");
  }
  *free = static_cast<size_t>(info.freeram) * info.mem_unit;
  *total = static_cast<size_t>(info.totalram) * info.mem_unit;
  return ACL_SUCCESS;
}

}  // extern "C"
