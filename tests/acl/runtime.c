// The device, its contexts, streams, events and memory.
#include <pthread.h>
#include <unistd.h>

#include "ops.h"

static void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  fputs(text, file);
  fclose(file);
}

CASE(init_and_finalize) {
  EXPECT(aclFinalize(), 100001);
  EXPECT(aclInit(NULL), 0);
  EXPECT(aclInit(NULL), 100002);
  EXPECT(aclFinalize(), 0);
  EXPECT(aclFinalize(), 100037);
}

CASE(configuration) {
  EXPECT(aclInit("missing.json"), 100003);
  write_file("a.json", "[1]");
  EXPECT(aclInit("a.json"), 100006);
  write_file("a.json", "{\"max_opqueue_num\": \"0\"}");
  EXPECT(aclInit("a.json"), 100000);
  write_file("a.json", "{\"dump\": {}}");
  EXPECT(aclInit("a.json"), 200006);
  write_file("a.json", "{\"max_opqueue_num\": \"7\", \"soc_version\": \"Ascend910B1\", \"x\": 1}");
  EXPECT(aclInit("a.json"), 0);
  EXPECT_TEXT(aclrtGetSocName(), "Ascend910B1");
}

CASE(empty_configuration) {
  write_file("a.json", "");
  EXPECT(aclInit("a.json"), 0);
}

CASE(A24_no_soc) {
  unsetenv("ASCEND_SOC_VERSION");
  EXPECT(aclrtGetSocName() == NULL, 1);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 500001);
  setenv("ASCEND_SOC_VERSION", "Ascend310P3", 1);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 500001);
  EXPECT(aclSetCompileopt(ACL_OP_DEBUG_LEVEL, "0"), 500001);
}

CASE(unknown_soc) {
  setenv("ASCEND_SOC_VERSION", "Ascend310P9", 1);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 500001);
}

CASE(products_without_the_interface) {
  const char* socs[] = {"Ascend910_95", "Ascend950PR", "Ascend035B"};
  for (int i = 0; i < 3; ++i) {
    setenv("ASCEND_SOC_VERSION", socs[i], 1);
    EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 200001);
    EXPECT(aclSetCompileopt(ACL_OP_DEBUG_LEVEL, "0"), 200001);
    EXPECT(aclopSetModelDir("."), 200001);
  }
}

CASE(sizes_are_open_by_default_where_the_soc_has_no_jit) {
  char text[8];
  setenv("ASCEND_SOC_VERSION", "Ascend910B1", 1);
  EXPECT(aclGetCompileopt(ACL_OP_JIT_COMPILE, text, 8), 0);
  EXPECT_TEXT(text, "disable");
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(compile_one("Relu", f32(2, 3), f32(2, 3), NULL), 0);
  EXPECT(run_one("Relu", f32(4, 3), f32(4, 3), NULL), 0);
}

CASE(device) {
  int32_t device = 7;
  uint32_t count = 0;
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT(aclrtGetDevice(&device), 107002);
  EXPECT(aclrtSetDevice(1), 107001);
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(aclrtGetDevice(&device), 0);
  EXPECT(device, 0);
  EXPECT(aclrtGetDevice(NULL), 100000);
  EXPECT(aclrtGetDeviceCount(&count), 0);
  EXPECT(count, 1);
  EXPECT(aclrtGetRunMode(&mode), 0);
  EXPECT(mode, ACL_HOST);
  EXPECT(aclrtResetDevice(0), 0);
  EXPECT(aclrtGetDevice(&device), 107002);
  EXPECT(aclrtResetDevice(1), 107001);
}

CASE(contexts) {
  aclrtContext first, second, current;
  aclrtStream stream;
  EXPECT(aclrtCreateStream(&stream), 107002);
  EXPECT(aclrtCreateContext(NULL, 0), 100000);
  EXPECT(aclrtCreateContext(&first, 0), 0);
  EXPECT(aclrtCreateContext(&second, 0), 0);
  EXPECT(aclrtGetCurrentContext(&current), 0);
  EXPECT(current == second, 1);
  EXPECT(aclrtSetCurrentContext(first), 0);
  EXPECT(aclrtGetCurrentContext(&current), 0);
  EXPECT(current == first, 1);
  EXPECT(aclrtDestroyContext(first), 0);
  EXPECT(aclrtGetCurrentContext(&current), 107002);
  EXPECT(aclrtDestroyContext(first), 107002);
  EXPECT(aclrtSetCurrentContext(NULL), 100000);
  EXPECT(aclrtDestroyContext(NULL), 100000);
}

CASE(memory) {
  void* data = NULL;
  char text[8] = "abcdefg";
  EXPECT(aclrtMalloc(NULL, 8, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT(aclrtMalloc(&data, 0, ACL_MEM_MALLOC_HUGE_FIRST), 100000);
  EXPECT(aclrtMalloc(&data, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), 207001);
  EXPECT(aclrtMalloc(&data, 8, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT((uintptr_t)data % 64, 0);
  EXPECT(aclrtMemcpy(data, 8, text, 8, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  EXPECT(aclrtMemcpy(data, 7, text, 8, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT(aclrtMemcpy(data, 8, text, 8, (aclrtMemcpyKind)9), 100000);
  EXPECT(aclrtMemcpy(NULL, 8, text, 8, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT(aclrtMemcpy(data, 8, NULL, 8, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT_TEXT((char*)data, "abcdefg");
  EXPECT(aclrtMemset(data, 8, 'x', 3), 0);
  EXPECT(aclrtMemset(data, 2, 'x', 3), 100000);
  EXPECT_TEXT((char*)data, "xxxdefg");
  EXPECT(aclrtFree(NULL), 100000);
  EXPECT(aclrtFree(data), 0);
  EXPECT(aclrtMallocHost(&data, 8), 0);
  EXPECT(aclrtFreeHost(data), 0);
  EXPECT(aclrtFreeHost(NULL), 100000);
  size_t free_bytes = 0, total = 0;
  EXPECT(aclrtGetMemInfo(ACL_HBM_MEM, &free_bytes, &total), 0);
  EXPECT(free_bytes > 0 && free_bytes <= total, 1);
}

CASE(rows_with_gaps) {
  char rows[3][4] = {"abc", "def", "ghi"}, packed[7] = "......";
  EXPECT(aclrtMemcpy2d(packed, 2, rows, 4, 2, 3, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  EXPECT_TEXT(packed, "abdegh");
  EXPECT(aclrtSetDevice(0), 0);
  aclrtStream stream;
  EXPECT(aclrtCreateStream(&stream), 0);
  EXPECT(aclrtMemcpy2dAsync(rows[0] + 1, 4, packed, 3, 2, 2, ACL_MEMCPY_DEVICE_TO_HOST, stream), 0);
  EXPECT(aclrtSynchronizeStream(stream), 0);
  EXPECT_TEXT(rows[0], "aab");
  EXPECT_TEXT(rows[1], "deg");
  EXPECT_TEXT(rows[2], "ghi");
  EXPECT(aclrtMemcpy2d(packed, 1, rows, 4, 2, 3, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT(aclrtMemcpy2d(packed, 2, rows, 1, 2, 3, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT(aclrtMemcpy2d(packed, 2, rows, 4, 0, 3, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT(aclrtMemcpy2d(packed, 2, rows, 4, 2, 0, ACL_MEMCPY_HOST_TO_DEVICE), 100000);
  EXPECT(aclrtMemcpy2d(packed, 2, rows, 4, 2, 3, (aclrtMemcpyKind)9), 100000);
  EXPECT(aclrtMemcpy2d(NULL, 2, rows, 4, 2, 3, ACL_MEMCPY_DEFAULT), 100000);
  EXPECT(aclrtMemcpy2d(packed, 2, NULL, 4, 2, 3, ACL_MEMCPY_DEFAULT), 100000);
  EXPECT(aclrtMemcpy2dAsync(packed, 1, rows, 4, 2, 3, ACL_MEMCPY_DEFAULT, stream), 100000);
  EXPECT(aclrtMemcpy2dAsync(NULL, 2, rows, 4, 2, 3, ACL_MEMCPY_DEFAULT, stream), 100000);
}

// A callback that keeps a stream busy until the test lets it go.
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void wait_for_gate(void* passed) {
  pthread_mutex_lock(&gate);
  *(int*)passed = 1;
  pthread_mutex_unlock(&gate);
}

static int reports_wanted;
static void* report(void* unused) {
  (void)unused;
  while (reports_wanted > 0) {
    if (aclrtProcessReport(1000) == 0) --reports_wanted;
  }
  return NULL;
}

CASE(streams_run_in_order_and_wait_for_events) {
  aclrtStream first, second;
  aclrtEvent event;
  aclrtStreamStatus status;
  aclrtEventRecordedStatus recorded;
  int passed = 0;
  char data[4] = "...";
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(aclrtCreateStream(&first), 0);
  EXPECT(aclrtCreateStream(&second), 0);
  EXPECT(aclrtCreateEvent(&event), 0);
  EXPECT(aclrtLaunchCallback(wait_for_gate, &passed, ACL_CALLBACK_BLOCK, first), 107015);
  pthread_t thread;
  reports_wanted = 1;
  pthread_mutex_lock(&gate);
  // The thread may ask before it is subscribed; it asks again.
  pthread_create(&thread, NULL, report, NULL);
  EXPECT(aclrtSubscribeReport((uint64_t)thread, first), 0);
  EXPECT(aclrtSubscribeReport((uint64_t)thread, first), 107011);
  EXPECT(aclrtLaunchCallback(wait_for_gate, &passed, ACL_CALLBACK_BLOCK, first), 0);
  EXPECT(aclrtMemsetAsync(data, 3, 'a', 1, first), 0);
  EXPECT(aclrtRecordEvent(event, first), 0);
  EXPECT(aclrtStreamWaitEvent(second, event), 0);
  EXPECT(aclrtMemcpyAsync(data + 1, 2, data, 1, ACL_MEMCPY_DEFAULT, second), 0);
  EXPECT(aclrtStreamQuery(second, &status), 0);
  EXPECT(status, ACL_STREAM_STATUS_NOT_READY);
  EXPECT(aclrtQueryEventStatus(event, &recorded), 0);
  EXPECT(recorded, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT(aclrtSynchronizeStreamWithTimeout(second, 20), 507046);
  EXPECT(aclrtSynchronizeEventWithTimeout(event, 20), 507047);
  EXPECT_TEXT(data, "...");
  pthread_mutex_unlock(&gate);
  EXPECT(aclrtSynchronizeStream(second), 0);
  EXPECT(passed, 1);
  EXPECT_TEXT(data, "aa.");
  EXPECT(aclrtSynchronizeEvent(event), 0);
  pthread_join(thread, NULL);
  EXPECT(aclrtUnSubscribeReport((uint64_t)thread, first), 0);
  EXPECT(aclrtUnSubscribeReport((uint64_t)thread, first), 107012);
  EXPECT(aclrtProcessReport(1), 107012);
  EXPECT(aclrtDestroyStream(first), 0);
  EXPECT(aclrtDestroyStream(second), 0);
  EXPECT(aclrtDestroyEvent(event), 0);
}

CASE(time_between_events) {
  aclrtEvent start, end;
  float ms = -1;
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(aclrtCreateEvent(&start), 0);
  EXPECT(aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE), 0);
  EXPECT(aclrtRecordEvent(start, NULL), 0);
  EXPECT(aclrtEventElapsedTime(&ms, start, end), 107006);
  usleep(2000);
  EXPECT(aclrtRecordEvent(end, NULL), 0);
  EXPECT(aclrtEventElapsedTime(&ms, start, end), 0);
  EXPECT(ms >= 2, 1);
  EXPECT(aclrtEventElapsedTime(&ms, end, start), 107007);
  EXPECT(aclrtResetEvent(end, NULL), 0);
  EXPECT(aclrtEventElapsedTime(&ms, start, end), 107006);
}

CASE(null_everywhere) {
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(aclrtCreateStream(NULL), 100000);
  EXPECT(aclrtDestroyStream(NULL), 100000);
  EXPECT(aclrtDestroyStreamForce(NULL), 100000);
  EXPECT(aclrtStreamQuery(NULL, NULL), 100000);
  EXPECT(aclrtSynchronizeStreamWithTimeout(NULL, -2), 100000);
  EXPECT(aclrtSynchronizeStream(NULL), 0);
  EXPECT(aclrtCreateEvent(NULL), 100000);
  EXPECT(aclrtDestroyEvent(NULL), 100000);
  EXPECT(aclrtRecordEvent(NULL, NULL), 100000);
  EXPECT(aclrtResetEvent(NULL, NULL), 100000);
  EXPECT(aclrtQueryEvent(NULL, NULL), 100000);
  EXPECT(aclrtQueryEventStatus(NULL, NULL), 100000);
  EXPECT(aclrtSynchronizeEvent(NULL), 100000);
  EXPECT(aclrtStreamWaitEvent(NULL, NULL), 100000);
  EXPECT(aclrtEventElapsedTime(NULL, NULL, NULL), 100000);
  EXPECT(aclrtLaunchCallback(NULL, NULL, ACL_CALLBACK_BLOCK, NULL), 100000);
  EXPECT(aclrtGetVersion(NULL, NULL, NULL), 100000);
  EXPECT(aclrtGetDeviceCount(NULL), 100000);
  EXPECT(aclrtGetRunMode(NULL), 100000);
  EXPECT(aclrtGetCurrentContext(NULL), 100000);
  EXPECT(aclrtMallocHost(NULL, 1), 100000);
  EXPECT(aclrtMemset(NULL, 1, 0, 1), 100000);
  EXPECT(aclrtMemsetAsync(NULL, 1, 0, 1, NULL), 100000);
  EXPECT(aclrtMemcpyAsync(NULL, 1, NULL, 1, ACL_MEMCPY_DEFAULT, NULL), 100000);
  EXPECT(aclrtMemFlush(NULL, 1), 100000);
  EXPECT(aclrtMemInvalidate(NULL, 1), 100000);
  EXPECT(aclrtGetMemInfo(ACL_HBM_MEM, NULL, NULL), 100000);
}

// Work that is large runs in the thread of the stream, and in order.
CASE(large_operators_run_in_order) {
  enum { kRows = 512, kCols = 512 };
  static float one[kRows * kCols], sum[kRows * kCols];
  aclrtStream stream;
  for (int i = 0; i < kRows * kCols; ++i) one[i] = 1;
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(aclrtCreateStream(&stream), 0);
  EXPECT(compile_add(f32(kRows, kCols), f32(kRows, kCols), f32(kRows, kCols), NULL), 0);
  for (int i = 0; i < 20; ++i) {
    const Desc* x[] = {f32(kRows, kCols), f32(kRows, kCols)};
    const Desc* y[] = {f32(kRows, kCols)};
    const Buffer* in[] = {over(one, sizeof(one)), over(sum, sizeof(sum))};
    Buffer* out[] = {over(sum, sizeof(sum))};
    EXPECT(aclopExecute("Add", 2, x, in, 1, y, out, NULL, stream), 0);
    // Descriptions and buffers may go when the call returns.
    for (int k = 0; k < 2; ++k) {
      aclDestroyTensorDesc(x[k]);
      aclDestroyDataBuffer(in[k]);
    }
    aclDestroyTensorDesc(y[0]);
    aclDestroyDataBuffer(out[0]);
  }
  EXPECT(aclrtSynchronizeStream(stream), 0);
  EXPECT(sum[0] == 20 && sum[kRows * kCols - 1] == 20, 1);
  EXPECT(aclrtDestroyStream(stream), 0);
}

static void* compile_many(void* unused) {
  (void)unused;
  for (int i = 0; i < 200; ++i) {
    const int64_t size = 1 + i % 50;
    Desc *x1 = f32(1, size), *x2 = f32(1, size), *y = f32(1, size);
    EXPECT(compile_add(x1, x2, y, NULL), 0);
    Desc* inputs[] = {x1, x2};
    float data[50] = {0}, result[50];
    Buffer* in[] = {over(data, (size_t)size * 4), over(data, (size_t)size * 4)};
    Buffer* out = over(result, (size_t)size * 4);
    EXPECT(aclrtSetDevice(0), 0);
    EXPECT(aclopExecuteV2("Add", 2, inputs, in, 1, &y, &out, NULL, NULL), 0);
    EXPECT(aclrtSynchronizeStream(NULL), 0);
    EXPECT(result[0] == 0, 1);
  }
  return NULL;
}

CASE(threads) {
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i) pthread_create(&threads[i], NULL, compile_many, NULL);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
}
