// Two streams and an event: the first casts, the second adds what the first has made.
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

int main() {
  const int64_t count = 1 << 18;  // large enough to run on the threads of the streams
  CHECK(aclInit(nullptr));
  CHECK(aclrtSetDevice(0));
  aclrtStream casts = nullptr, adds = nullptr;
  aclrtEvent cast_done = nullptr;
  CHECK(aclrtCreateStream(&casts));
  CHECK(aclrtCreateStream(&adds));
  CHECK(aclrtCreateEvent(&cast_done));

  std::vector<float> host(count);
  for (int64_t i = 0; i < count; ++i) host[i] = static_cast<float>(i % 1000);
  const size_t wide = count * sizeof(float), narrow = count * sizeof(aclFloat16);
  void *x = nullptr, *half = nullptr, *sum = nullptr;
  CHECK(aclrtMalloc(&x, wide, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&half, narrow, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMalloc(&sum, narrow, ACL_MEM_MALLOC_HUGE_FIRST));
  CHECK(aclrtMemcpyAsync(x, wide, host.data(), wide, ACL_MEMCPY_HOST_TO_DEVICE, casts));

  aclTensorDesc* x_desc = aclCreateTensorDesc(ACL_FLOAT, 1, &count, ACL_FORMAT_ND);
  aclTensorDesc* half_desc = aclCreateTensorDesc(ACL_FLOAT16, 1, &count, ACL_FORMAT_ND);
  aclDataBuffer* x_buffer = aclCreateDataBuffer(x, wide);
  aclDataBuffer* half_buffer = aclCreateDataBuffer(half, narrow);
  aclDataBuffer* sum_buffer = aclCreateDataBuffer(sum, narrow);
  aclopAttr* attr = aclopCreateAttr();
  CHECK(aclopSetAttrInt(attr, "dst_type", ACL_FLOAT16));
  CHECK(aclopCompileAndExecute("Cast", 1, &x_desc, &x_buffer, 1, &half_desc, &half_buffer, attr,
                               ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, casts));
  CHECK(aclrtRecordEvent(cast_done, casts));
  CHECK(aclrtStreamWaitEvent(adds, cast_done));
  const aclTensorDesc* add_descs[] = {half_desc, half_desc};
  const aclDataBuffer* add_inputs[] = {half_buffer, half_buffer};
  CHECK(aclopCompileAndExecute("Add", 2, add_descs, add_inputs, 1, &half_desc, &sum_buffer, nullptr,
                               ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, adds));
  std::vector<aclFloat16> result(count);
  CHECK(aclrtMemcpyAsync(result.data(), narrow, sum, narrow, ACL_MEMCPY_DEVICE_TO_HOST, adds));
  CHECK(aclrtSynchronizeStream(adds));
  int wrong = 0;
  for (int64_t i = 0; i < count; ++i) {
    wrong += aclFloat16ToFloat(result[i]) != static_cast<float>(2 * (i % 1000));
  }
  std::printf("%d wrong\n", wrong);

  aclopDestroyAttr(attr);
  for (aclDataBuffer* buffer : {x_buffer, half_buffer, sum_buffer}) {
    CHECK(aclDestroyDataBuffer(buffer));
  }
  aclDestroyTensorDesc(x_desc);
  aclDestroyTensorDesc(half_desc);
  for (void* memory : {x, half, sum}) CHECK(aclrtFree(memory));
  CHECK(aclrtDestroyEvent(cast_done));
  CHECK(aclrtDestroyStream(casts));
  CHECK(aclrtDestroyStream(adds));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return 0;
}
