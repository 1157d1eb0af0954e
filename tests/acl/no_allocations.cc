// Compiling what is compiled, and running it, asks for no memory.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

static long allocations = 0;

void* operator new(size_t bytes) {
  ++allocations;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes);
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept {
  std::free(memory);
}

int main() {
  const int64_t dims[] = {1, 2, 2, 1, 2, 1};
  float x1[8] = {1}, x2[8] = {2}, y[8] = {};
  aclTensorDesc *in[2], *out = aclCreateTensorDesc(ACL_FLOAT, 6, dims, ACL_FORMAT_ND);
  for (aclTensorDesc*& desc : in) desc = aclCreateTensorDesc(ACL_FLOAT, 6, dims, ACL_FORMAT_ND);
  aclDataBuffer* buffers[] = {aclCreateDataBuffer(x1, 32), aclCreateDataBuffer(x2, 32)};
  aclDataBuffer* result = aclCreateDataBuffer(y, 32);
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrString(attr, "a_name_that_is_too_long_to_be_short", "so is this value of the name");
  aclopSetAttrInt(attr, "b", 1);
  aclrtStream stream = nullptr;
  aclopHandle* handle = nullptr;
  aclrtSetDevice(0);
  aclrtCreateStream(&stream);
  long before = 0, counts[3] = {};
  for (int round = 0; round < 2; ++round) {
    before = allocations;
    if (aclopCompile("Add", 2, in, 1, &out, attr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr)) {
      return 1;
    }
    counts[0] = allocations - before;
    if (handle == nullptr && aclopCreateHandle("Add", 2, in, 1, &out, attr, &handle)) return 2;
    before = allocations;
    if (aclopExecWithHandle(handle, 2, buffers, 1, &result, stream)) return 3;
    counts[1] = allocations - before;
    before = allocations;
    if (aclopExecuteV2("Add", 2, in, buffers, 1, &out, &result, attr, stream)) return 4;
    counts[2] = allocations - before;
  }
  std::printf("compile %ld handle %ld execute %ld, result %g\n", counts[0], counts[1], counts[2],
              static_cast<double>(y[0]));
  return 0;
}
