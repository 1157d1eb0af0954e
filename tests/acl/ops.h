// Short words for descriptions, buffers and calls.
#ifndef OPS_H_
#define OPS_H_

#include "cases.h"

#define SYS ACL_ENGINE_SYS, ACL_COMPILE_SYS, NULL
#define UNUSED __attribute__((unused))

typedef aclTensorDesc Desc;
typedef aclDataBuffer Buffer;

UNUSED static Desc* of(aclDataType dtype, int rank, int64_t a, int64_t b) {
  const int64_t dims[] = {a, b};
  return aclCreateTensorDesc(dtype, rank, dims, ACL_FORMAT_ND);
}

// float16 of two dims.
UNUSED static Desc* d(int64_t a, int64_t b) {
  return of(ACL_FLOAT16, 2, a, b);
}
UNUSED static Desc* f32(int64_t a, int64_t b) {
  return of(ACL_FLOAT, 2, a, b);
}
UNUSED static Desc* vec(aclDataType dtype, int64_t count) {
  return of(dtype, 1, count, 0);
}
UNUSED static Desc* absent(void) {
  return aclCreateTensorDesc(ACL_DT_UNDEFINED, 0, NULL, ACL_FORMAT_UNDEFINED);
}

UNUSED static Desc* ranged(Desc* desc, int count, int64_t a, int64_t b, int64_t c, int64_t e) {
  int64_t ranges[][2] = {{a, b}, {c, e}, {1, 2}, {1, 2}, {1, 2}};
  aclSetTensorShapeRange(desc, (size_t)count, ranges);
  return desc;
}

UNUSED static Desc* placed(Desc* desc, int placement) {
  aclSetTensorPlaceMent(desc, (aclMemType)placement);
  return desc;
}

UNUSED static Desc* constant(Desc* desc, void* data, size_t bytes) {
  aclSetTensorConst(desc, data, bytes);
  return desc;
}

UNUSED static Desc* named(Desc* desc, const char* name) {
  aclSetTensorDynamicInput(desc, name);
  return desc;
}

// Zeros of the process.
UNUSED static Buffer* buf(size_t bytes) {
  void* data = NULL;
  aclrtMalloc(&data, bytes + 1, ACL_MEM_MALLOC_NORMAL_ONLY);
  memset(data, 0, bytes + 1);
  return aclCreateDataBuffer(data, bytes);
}

UNUSED static Buffer* over(void* data, size_t bytes) {
  return aclCreateDataBuffer(data, bytes);
}

typedef struct {
  Desc *x1, *x2, *y;
} Three;

UNUSED static aclError compile_add(Desc* x1, Desc* x2, Desc* y, aclopAttr* attr) {
  const Desc* inputs[] = {x1, x2};
  const Desc* outputs[] = {y};
  return aclopCompile("Add", 2, inputs, 1, outputs, attr, SYS);
}

UNUSED static aclError compile_one(const char* type, Desc* x, Desc* y, aclopAttr* attr) {
  const Desc* inputs[] = {x};
  const Desc* outputs[] = {y};
  return aclopCompile(type, 1, inputs, 1, outputs, attr, SYS);
}

UNUSED static aclError compile_two(const char* type, Desc* a, Desc* b, Desc* y, aclopAttr* attr) {
  const Desc* inputs[] = {a, b};
  const Desc* outputs[] = {y};
  return aclopCompile(type, 2, inputs, 1, outputs, attr, SYS);
}

UNUSED static aclError run_two(const char* type, Desc* a, Buffer* x, Desc* b, Buffer* z, Desc* y,
                               Buffer* out, aclopAttr* attr) {
  Desc* inputs[] = {a, b};
  Buffer* buffers[] = {x, z};
  return aclopExecuteV2(type, 2, inputs, buffers, 1, &y, &out, attr, NULL);
}

UNUSED static aclError run_add(Desc* x1, Desc* x2, Desc* y) {
  return run_two("Add", x1, buf(4096), x2, buf(4096), y, buf(4096), NULL);
}

UNUSED static aclError run_one(const char* type, Desc* x, Desc* y, aclopAttr* attr) {
  Buffer *in = buf(4096), *out = buf(4096);
  return aclopExecuteV2(type, 1, &x, &in, 1, &y, &out, attr, NULL);
}

#endif
