// A matrix product as samples for a device have it: a model from the offline compiler, found in a
// folder, run by descriptions and by a handle. Arguments: configuration, folder of models.
#include <cstdio>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

#define CHECK(call)                                                         \
  do {                                                                      \
    const aclError code = (call);                                           \
    if (code != ACL_SUCCESS) {                                              \
      const char* text = aclGetRecentErrMsg();                              \
      std::printf("%s: %d %s\n", #call, code, text != nullptr ? text : ""); \
      return 1;                                                             \
    }                                                                       \
  } while (false)

namespace {

const int64_t kSize = 16;

// A tensor on the device with these values as float16.
aclDataBuffer* OnDevice(const std::vector<float>& values) {
  std::vector<aclFloat16> halves;
  for (float value : values) halves.push_back(aclFloatToFloat16(value));
  const size_t bytes = halves.size() * sizeof(aclFloat16);
  void* memory = nullptr;
  if (aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return nullptr;
  if (aclrtMemcpy(memory, bytes, halves.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE) != ACL_SUCCESS) {
    return nullptr;
  }
  return aclCreateDataBuffer(memory, bytes);
}

// How many elements of y are not 2 * a @ b + 3 * c, where a[i, k] = i, b[k, j] = j, c = 1.
int Wrong(const aclDataBuffer* y) {
  std::vector<aclFloat16> host(kSize * kSize);
  const size_t bytes = host.size() * sizeof(aclFloat16);
  if (aclrtMemcpy(host.data(), bytes, aclGetDataBufferAddr(y), bytes, ACL_MEMCPY_DEVICE_TO_HOST) !=
      ACL_SUCCESS) {
    return -1;
  }
  int wrong = 0;
  for (int64_t i = 0; i < kSize; ++i) {
    for (int64_t j = 0; j < kSize; ++j) {
      const float wanted = static_cast<float>(2 * kSize * (i % 4) * (j % 4) + 3);
      wrong += aclFloat16ToFloat(host[i * kSize + j]) != wanted;
    }
  }
  return wrong;
}

int Run(const char* config, const char* folder) {
  CHECK(aclInit(config));
  CHECK(aclrtSetDevice(0));
  CHECK(aclopSetModelDir(folder));
  aclrtStream stream = nullptr;
  CHECK(aclrtCreateStream(&stream));

  const int64_t dims[] = {kSize, kSize};
  aclTensorDesc* matrix = aclCreateTensorDesc(ACL_FLOAT16, 2, dims, ACL_FORMAT_ND);
  aclTensorDesc* scalar = aclCreateTensorDesc(ACL_FLOAT16, 0, nullptr, ACL_FORMAT_ND);
  aclTensorDesc* inputs[] = {matrix, matrix, matrix, scalar, scalar};
  aclTensorDesc* outputs[] = {matrix};
  std::vector<float> a, b;
  for (int64_t i = 0; i < kSize * kSize; ++i) {
    a.push_back(static_cast<float>(i / kSize % 4));
    b.push_back(static_cast<float>(i % kSize % 4));
  }
  const std::vector<float> ones(kSize * kSize, 1.0f);
  aclDataBuffer* x[] = {OnDevice(a), OnDevice(b), OnDevice(ones), OnDevice({2}), OnDevice({3})};
  aclDataBuffer* y[] = {OnDevice(ones)};
  aclopAttr* attr = aclopCreateAttr();
  CHECK(aclopSetAttrBool(attr, "transpose_a", 0));
  CHECK(aclopSetAttrBool(attr, "transpose_b", 0));

  CHECK(aclopExecuteV2("GEMM", 5, inputs, x, 1, outputs, y, attr, stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("%d wrong\n", Wrong(y[0]));

  aclopHandle* handle = nullptr;
  CHECK(aclopCreateHandle("GEMM", 5, inputs, 1, outputs, attr, &handle));
  CHECK(aclrtMemset(aclGetDataBufferAddr(y[0]), aclGetDataBufferSizeV2(y[0]), 0,
                    aclGetDataBufferSizeV2(y[0])));
  CHECK(aclopExecWithHandle(handle, 5, x, 1, y, stream));
  CHECK(aclrtSynchronizeStream(stream));
  std::printf("%d wrong\n", Wrong(y[0]));

  aclopDestroyHandle(handle);
  aclopDestroyAttr(attr);
  for (aclDataBuffer* buffer : x) {
    CHECK(aclrtFree(aclGetDataBufferAddr(buffer)));
    CHECK(aclDestroyDataBuffer(buffer));
  }
  CHECK(aclrtFree(aclGetDataBufferAddr(y[0])));
  CHECK(aclDestroyDataBuffer(y[0]));
  aclDestroyTensorDesc(matrix);
  aclDestroyTensorDesc(scalar);
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}

}  // namespace

int main(int, char** argv) {
  return Run(argv[1], argv[2]);
}
