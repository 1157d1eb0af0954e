// Running operators that were compiled, with descriptions and with handles.
#include "ops.h"

static void start(void) {
  EXPECT(aclrtSetDevice(0), 0);
}

static aclopAttr* axes_of(int64_t axis) {
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrListInt(attr, "axes", 1, &axis);
  return attr;
}

CASE(D1_D2_D3) {
  start();
  EXPECT(run_add(f32(2, 3), f32(2, 3), f32(2, 3)), 100024);
  EXPECT(compile_add(f32(2, 3), f32(2, 3), f32(2, 3), NULL), 0);
  float x1[] = {1, 2, 3, 4, 5, 6}, x2[] = {10, 20, 30, 40, 50, 60}, y[6] = {0};
  EXPECT(run_two("Add", f32(2, 3), over(x1, 24), f32(2, 3), over(x2, 24), f32(2, 3), over(y, 24),
                 NULL),
         0);
  EXPECT(y[0] == 11 && y[5] == 66, 1);
  EXPECT(run_add(d(2, 3), f32(2, 3), f32(2, 3)), 100024);
}

CASE(results_in_place_and_at_odd_addresses) {
  start();
  EXPECT(compile_add(f32(2, 3), f32(2, 3), f32(2, 3), NULL), 0);
  float x[8] = {0, 1, 2, 3, 4, 5, 6}, y[6] = {1, 1, 1, 1, 1, 1};
  EXPECT(run_two("Add", f32(2, 3), over(x + 1, 24), f32(2, 3), over(y, 24), f32(2, 3), over(y, 24),
                 NULL),
         0);
  EXPECT(y[0] == 2 && y[5] == 7, 1);
  // The result begins in the middle of an input.
  EXPECT(run_two("Add", f32(2, 3), over(x + 1, 24), f32(2, 3), over(x + 1, 24), f32(2, 3),
                 over(x + 2, 24), NULL),
         0);
  EXPECT(x[1] == 1 && x[2] == 2 && x[3] == 4 && x[7] == 12, 1);
}

CASE(D4_D5_D6_buffers) {
  start();
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 0);
  Desc* x[] = {d(2, 3), d(2, 3)};
  Desc* y[] = {d(2, 3)};
  Buffer* no_second[] = {buf(64), NULL};
  Buffer* no_data[] = {buf(64), over(NULL, 4)};
  Buffer* out[] = {buf(64)};
  EXPECT(aclopExecuteV2("Add", 2, x, no_second, 1, y, out, NULL, NULL), 100000);
  EXPECT(aclopExecuteV2("Add", 2, x, no_data, 1, y, out, NULL, NULL), 100000);
  EXPECT(aclopExecute("Add", 2, (const Desc* const*)x, (const Buffer* const*)no_data, 1,
                      (const Desc* const*)y, out, NULL, NULL),
         145000);  // past the check of the array
}

CASE(D7_no_elements) {
  EXPECT(run_add(d(0, 3), d(0, 3), d(0, 3)), 0);
  Desc* x[] = {d(0, 3), d(0, 3)};
  Desc* y[] = {d(0, 3)};
  const Desc* const* cx = (const Desc* const*)x;
  const Desc* const* cy = (const Desc* const*)y;
  EXPECT(aclopExecuteV2("Add", 2, x, NULL, 1, y, NULL, NULL, NULL), 0);
  EXPECT(aclopExecute("Add", 2, cx, NULL, 1, cy, NULL, NULL, NULL), 0);
  EXPECT(aclopCompileAndExecute("Add", 2, cx, NULL, 1, cy, NULL, NULL, SYS, NULL), 100000);
}

CASE(D8_D9_not_all_outputs_are_empty) {
  start();
  Desc* x[] = {d(2, 3)};
  Desc* y[] = {d(0, 3), d(2, 3)};
  Buffer* in[] = {buf(64)};
  Buffer* out[] = {buf(64), buf(64)};
  EXPECT(aclopExecuteV2("Foo", 1, x, in, 2, y, out, NULL, NULL), 100024);
  EXPECT(aclopExecuteV2("Foo", 1, x, in, 0, NULL, NULL, NULL, NULL), 100024);
}

CASE(D10_open_dims) {
  start();
  EXPECT(run_add(d(-1, 3), d(2, 3), d(2, 3)), 100000);
  EXPECT(aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ), 0);
  EXPECT(run_add(d(-1, 3), d(2, 3), d(2, 3)), 100024);
}

static aclError run_relu(int64_t rows, int64_t result_rows) {
  return run_one("Relu", f32(rows, 3), f32(result_rows, 3), NULL);
}

CASE(D11_ranges) {
  start();
  EXPECT(compile_one("Relu", ranged(f32(-1, 3), 2, 1, 16, 3, 3), f32(-1, 3), NULL), 0);
  EXPECT(run_relu(16, 16), 0);
  EXPECT(run_relu(17, 17), 100024);
  EXPECT(run_relu(0, 1), 100024);
  EXPECT(run_relu(0, 0), 0);
}

CASE(D12_open_range) {
  start();
  EXPECT(compile_one("Relu", ranged(f32(-1, 3), 2, 2, -1, 3, 3), f32(-1, 3), NULL), 0);
  EXPECT(run_relu(1, 1), 100024);
  EXPECT(run_relu(300, 300), 0);
}

CASE(shapes_of_results_are_refreshed) {
  start();
  EXPECT(compile_one("Relu", ranged(f32(-1, 3), 2, 1, 16, 3, 3), f32(-1, 3), NULL), 0);
  float data[6] = {-1, 2, -3, 4, -5, 6}, result[48];
  Desc *x = f32(2, 3), *y = f32(16, 3);
  Buffer *in = over(data, 24), *out = over(result, 192);
  EXPECT(aclopExecuteV2("Relu", 1, &x, &in, 1, &y, &out, NULL, NULL), 0);
  EXPECT(aclGetTensorDescDim(y, 0), 2);
  EXPECT(result[0] == 0 && result[5] == 6, 1);
}

CASE(the_data_says_how_many_results_there_are) {
  start();
  float data[4] = {0, 5, 0, 7};
  int64_t places[4] = {-1, -1, -1, -1};
  EXPECT(compile_one("NonZero", vec(ACL_FLOAT, 4), of(ACL_INT64, 2, -1, 1), NULL), 0);
  Desc *x = vec(ACL_FLOAT, 4), *y = of(ACL_INT64, 2, 4, 1);
  Buffer *in = over(data, 16), *out = over(places, 32);
  EXPECT(aclopExecuteV2("NonZero", 1, &x, &in, 1, &y, &out, NULL, NULL), 0);
  EXPECT(aclGetTensorDescDim(y, 0), 2);
  EXPECT(places[0] == 1 && places[1] == 3 && places[2] == -1, 1);
}

CASE(fuzz_compiles_for_all_sizes) {
  start();
  EXPECT(aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ), 0);
  EXPECT(compile_one("Relu", f32(2, 3), f32(2, 3), NULL), 0);
  EXPECT(run_relu(5, 5), 0);
  EXPECT(aclopSetCompileFlag(ACL_OP_COMPILE_DEFAULT), 0);
  EXPECT(run_relu(7, 7), 0);
}

CASE(open_dims_and_sizes_beyond_64_bits_do_not_run) {
  start();
  EXPECT(aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ), 0);
  EXPECT(compile_one("Relu", f32(2, 3), f32(2, 3), NULL), 0);
  EXPECT(run_relu(-1, 5), 100000);
  const int64_t huge = INT64_C(1) << 62;
  EXPECT(run_one("Relu", f32(huge, 8), f32(1, 1), NULL), 145000);
}

static aclopHandle* add_handle(void) {
  const Desc* x[] = {f32(1, 1), f32(1, 1)};
  const Desc* y[] = {f32(1, 1)};
  aclopHandle* handle = NULL;
  EXPECT(compile_add(f32(1, 1), f32(1, 1), f32(1, 1), NULL), 0);
  EXPECT(aclopCreateHandle("Add", 2, x, 1, y, NULL, &handle), 0);
  for (int i = 0; i < 2; ++i) aclDestroyTensorDesc(x[i]);
  aclDestroyTensorDesc(y[0]);
  return handle;
}

CASE(D13_D14_D15_D16_handle) {
  start();
  aclopHandle* handle = add_handle();
  float a = 1, b = 2, c = 0;
  const Buffer* in[] = {over(&a, 4), over(&b, 4), over(&b, 4)};
  Buffer* out[] = {over(&c, 4), over(&c, 4)};
  Buffer* empty[] = {over(NULL, 0)};
  EXPECT(aclopExecWithHandle(handle, 2, in, 1, out, NULL), 0);
  EXPECT(c == 3, 1);
  EXPECT(aclopExecWithHandle(handle, 3, in, 1, out, NULL), 100021);
  EXPECT(aclopExecWithHandle(handle, 2, in, 2, out, NULL), 100022);
  EXPECT(aclopExecWithHandle(handle, 3, in, 1, empty, NULL), 0);
  EXPECT(aclopExecWithHandle(NULL, 2, in, 1, out, NULL), 100000);
  EXPECT(aclopExecWithHandle(handle, -1, in, 1, out, NULL), 100000);
  EXPECT(aclopExecWithHandle(handle, 2, NULL, 1, out, NULL), 100000);
  aclopDestroyHandle(handle);
  aclopDestroyHandle(NULL);
}

CASE(D17_host_input_of_a_handle) {
  const Desc* x[] = {placed(f32(1, 1), 1), f32(1, 1)};
  const Desc* y[] = {f32(1, 1)};
  aclopHandle* handle = NULL;
  EXPECT(aclopCreateHandle("Add", 2, x, 1, y, NULL, &handle), 200001);
  EXPECT(aclopCreateHandle("Add", 2, x, 1, y, NULL, NULL), 100000);
  EXPECT(aclopCreateHandle(NULL, 2, x, 1, y, NULL, &handle), 100000);
}

CASE(C21_handles_keep_attributes) {
  start();
  aclopAttr* attr = axes_of(1);
  EXPECT(compile_one("ReduceSumD", f32(2, 2), vec(ACL_FLOAT, 2), attr), 0);
  const Desc* x[] = {f32(2, 2)};
  const Desc* y[] = {vec(ACL_FLOAT, 2)};
  aclopHandle* handle = NULL;
  EXPECT(aclopCreateHandle("ReduceSumD", 1, x, 1, y, attr, &handle), 0);
  aclopDestroyAttr(attr);
  float data[] = {1, 2, 3, 4}, sums[2];
  const Buffer* in[] = {over(data, 16)};
  Buffer* out[] = {over(sums, 8)};
  EXPECT(aclopExecWithHandle(handle, 1, in, 1, out, NULL), 0);
  EXPECT(sums[0] == 3 && sums[1] == 7, 1);
}

CASE(D18_small_buffers) {
  start();
  EXPECT(compile_add(f32(16, 16), f32(16, 16), f32(16, 16), NULL), 0);
  EXPECT(
      run_two("Add", f32(16, 16), buf(960), f32(16, 16), buf(1024), f32(16, 16), buf(1024), NULL),
      145000);
  // Forgiven: 32 spare bytes.
  EXPECT(
      run_two("Add", f32(16, 16), buf(1000), f32(16, 16), buf(1024), f32(16, 16), buf(1024), NULL),
      0);
  EXPECT(
      run_two("Add", f32(16, 16), buf(1024), f32(16, 16), buf(1024), f32(16, 16), buf(960), NULL),
      145000);
}

// Sums of [[1, 2], [3, 4]] along an axis that lies on the host.
static aclError sum(int placement, int32_t axis, float* result) {
  static float data[] = {1, 2, 3, 4};
  const Desc* x[] = {f32(2, 2), placed(vec(ACL_INT32, 1), placement)};
  const Desc* y[] = {vec(ACL_FLOAT, 2)};
  const Buffer* in[] = {over(data, 16), over(&axis, 4)};
  Buffer* out[] = {over(result, 8)};
  return aclopCompileAndExecute("ReduceSum", 2, x, in, 1, y, out, NULL, SYS, NULL);
}

CASE(D19_D20_host_values) {
  start();
  for (int placement = 1; placement <= 2; ++placement) {
    float sums[2];
    EXPECT(sum(placement, 0, sums), 0);
    EXPECT(sums[0] == 4 && sums[1] == 6, 1);
    EXPECT(sum(placement, 1, sums), 0);
    EXPECT(sums[0] == 3 && sums[1] == 7, 1);
  }
}

CASE(D21_D22_ageing) {
  start();
  EXPECT(aclopSetMaxOpQueueNum(0), 100000);
  EXPECT(aclopSetMaxOpQueueNum(1), 0);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 0);
  EXPECT(compile_add(d(4, 3), d(4, 3), d(4, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 100024);
  EXPECT(run_add(d(4, 3), d(4, 3), d(4, 3)), 0);
}

CASE(the_operator_used_longest_ago_goes) {
  start();
  EXPECT(aclopSetMaxOpQueueNum(2), 0);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 0);
  EXPECT(compile_add(d(4, 3), d(4, 3), d(4, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 0);
  EXPECT(compile_add(d(5, 3), d(5, 3), d(5, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 0);
  EXPECT(run_add(d(4, 3), d(4, 3), d(4, 3)), 100024);
}

CASE(a_handle_outlives_its_operator) {
  start();
  EXPECT(aclopSetMaxOpQueueNum(1), 0);
  aclopHandle* handle = add_handle();
  EXPECT(compile_add(d(4, 3), d(4, 3), d(4, 3), NULL), 0);
  float a = 1, b = 2, c = 0;
  const Buffer* in[] = {over(&a, 4), over(&b, 4)};
  Buffer* out[] = {over(&c, 4)};
  EXPECT(aclopExecWithHandle(handle, 2, in, 1, out, NULL), 0);
  EXPECT(c == 3, 1);
}

CASE(cast) {
  start();
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrInt(attr, "dst_type", ACL_INT32);
  EXPECT(compile_one("Cast", vec(ACL_FLOAT, 2), vec(ACL_INT32, 2), attr), 0);
  float data[] = {1.5f, -2.5f};
  int32_t result[2];
  EXPECT(aclopCast(vec(ACL_FLOAT, 2), over(data, 8), vec(ACL_INT32, 2), over(result, 8), 0, NULL),
         0);
  EXPECT(result[0] == 1 && result[1] == -2, 1);
  EXPECT(aclopCast(vec(ACL_FLOAT, 2), over(data, 8), NULL, over(result, 8), 0, NULL), 100000);
  EXPECT(aclopCast(NULL, over(data, 8), vec(ACL_INT32, 2), over(result, 8), 0, NULL), 100000);
  aclopHandle* handle = NULL;
  EXPECT(aclopCreateHandleForCast(vec(ACL_FLOAT, 2), vec(ACL_INT32, 2), 0, &handle), 0);
  EXPECT(aclopCreateHandleForCast(vec(ACL_FLOAT, 2), NULL, 0, &handle), 100000);
}

CASE(V2_gives_shapes) {
  start();
  float x1[] = {1, 2}, x2[] = {3, 4}, result[2];
  Desc* x[] = {f32(1, 2), f32(1, 2)};
  Desc* y = f32(-1, 2);
  Buffer* in[] = {over(x1, 8), over(x2, 8)};
  Buffer* out = over(result, 8);
  aclopSetCompileFlag(ACL_OP_COMPILE_FUZZ);
  EXPECT(aclopCompileAndExecuteV2("Add", 2, x, in, 1, &y, &out, NULL, SYS, NULL), 0);
  EXPECT(aclGetTensorDescDim(y, 0), 1);
  EXPECT(result[1] == 6, 1);
}

CASE(no_context) {
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 107002);
}
