// Loops over functions of the single-operator API: prints a name and nanoseconds per call each.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

enum { ROUNDS = 7, HITS = 100000, BUILDS = 100 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void check(const char* call, aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* text = aclGetRecentErrMsg();
  fprintf(stderr, "%s gives %d: %s\n", call, code, text != NULL ? text : "");
  exit(1);
}
#define CHECK(call) check(#call, (call))

// The least time per call of several rounds.
static void report(const char* name, void (*loop)(int count), int count, int rounds) {
  double best = 1e18;
  for (int round = 0; round < rounds; ++round) {
    const double begin = now();
    loop(count);
    const double time = (now() - begin) / count;
    if (time < best) best = time;
  }
  printf("%s %.1f\n", name, best);
}

static void describe(int count) {
  const int64_t dims[] = {1, 3, 224, 224};
  for (int i = 0; i < count; ++i) {
    aclDestroyTensorDesc(aclCreateTensorDesc(ACL_FLOAT16, 4, dims, ACL_FORMAT_NCHW));
  }
}

static aclTensorDesc* x;
static aclopAttr* attr;
static aclopHandle* handle;
static float one = 1, two = 2;

static aclError compile_add(aclTensorDesc* desc, const aclopAttr* attrs) {
  const aclTensorDesc* inputs[] = {desc, desc};
  const aclTensorDesc* outputs[] = {desc};
  return aclopCompile("Add", 2, inputs, 1, outputs, attrs, ACL_ENGINE_SYS, ACL_COMPILE_SYS, NULL);
}

static void hit(int count) {
  for (int i = 0; i < count; ++i) CHECK(compile_add(x, attr));
}

static void first_add(int count) {
  static int64_t size = 10;
  for (int i = 0; i < count; ++i) {
    const int64_t dims[] = {++size, 3};
    aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT16, 2, dims, ACL_FORMAT_ND);
    CHECK(compile_add(desc, NULL));
    aclDestroyTensorDesc(desc);
  }
}

static void first_conv(int count) {
  static int64_t size = 10;
  const int64_t ones[] = {1, 1, 1, 1}, pads[] = {1, 1, 1, 1};
  aclopAttr* conv = aclopCreateAttr();
  CHECK(aclopSetAttrListInt(conv, "strides", 4, ones));
  CHECK(aclopSetAttrListInt(conv, "pads", 4, pads));
  const int64_t filter[] = {16, 8, 3, 3};
  for (int i = 0; i < count; ++i) {
    const int64_t in[] = {1, 8, ++size, 16}, out[] = {1, 16, size, 16};
    const aclTensorDesc* inputs[] = {aclCreateTensorDesc(ACL_FLOAT, 4, in, ACL_FORMAT_NCHW),
                                     aclCreateTensorDesc(ACL_FLOAT, 4, filter, ACL_FORMAT_NCHW)};
    const aclTensorDesc* outputs[] = {aclCreateTensorDesc(ACL_FLOAT, 4, out, ACL_FORMAT_NCHW)};
    CHECK(
        aclopCompile("Conv2D", 2, inputs, 1, outputs, conv, ACL_ENGINE_SYS, ACL_COMPILE_SYS, NULL));
  }
}

static void run(int count) {
  aclDataBuffer* buffer = aclCreateDataBuffer(&one, 4);
  aclDataBuffer* result = aclCreateDataBuffer(&two, 4);
  const aclDataBuffer* inputs[] = {buffer, buffer};
  aclDataBuffer* outputs[] = {result};
  for (int i = 0; i < count; ++i) {
    CHECK(aclopExecWithHandle(handle, 2, inputs, 1, outputs, NULL));
  }
  CHECK(aclrtSynchronizeStream(NULL));
}

static void* hits_of_a_thread(void* argument) {
  (void)argument;
  hit(HITS);
  return NULL;
}

// Per hit of both threads together.
static void two_threads(int count) {
  pthread_t threads[2];
  (void)count;
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, hits_of_a_thread, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}

int main(void) {
  const int64_t dim = 1;
  CHECK(aclInit(NULL));
  CHECK(aclrtSetDevice(0));
  x = aclCreateTensorDesc(ACL_FLOAT, 1, &dim, ACL_FORMAT_ND);
  attr = aclopCreateAttr();
  CHECK(aclopSetAttrInt(attr, "first", 1));
  CHECK(aclopSetAttrFloat(attr, "second", 2));
  CHECK(compile_add(x, attr));
  const aclTensorDesc* inputs[] = {x, x};
  const aclTensorDesc* outputs[] = {x};
  CHECK(aclopCreateHandle("Add", 2, inputs, 1, outputs, attr, &handle));
  report("describe", describe, HITS, ROUNDS);
  report("hit", hit, HITS, ROUNDS);
  report("two_threads", two_threads, 2 * HITS, ROUNDS);
  report("first_add", first_add, BUILDS, ROUNDS);
  report("first_conv", first_conv, BUILDS, ROUNDS);
  report("run", run, HITS, ROUNDS);
  return 0;
}
