// What aclopCompile checks, in which order, and what finds an operator again.
#include "ops.h"

static aclError compile_all(const char* type, int inputs, const Desc* const* x, int outputs,
                            const Desc* const* y, int engine, int flag, const char* path) {
  return aclopCompile(type, inputs, x, outputs, y, NULL, (aclopEngineType)engine,
                      (aclopCompileType)flag, path);
}

static aclError with_flag(const char* type, int inputs, int outputs, int engine, int flag,
                          const char* path) {
  const Desc* x[] = {d(2, 3), d(2, 3)};
  const Desc* y[] = {d(2, 3)};
  return compile_all(type, inputs, x, outputs, y, engine, flag, path);
}

CASE(A1_A2) {
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 0);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 0);
}

CASE(A3_A4_A5_counts_come_first) {
  EXPECT(with_flag("Add", -1, 1, 0, 0, NULL), 100000);
  EXPECT(with_flag("Add", 2, -1, 0, 0, NULL), 100000);
  EXPECT(with_flag("Add", -1, 1, 0, 7, NULL), 100000);
}

CASE(A6_A7_flag_comes_before_type) {
  EXPECT(with_flag("Add", 2, 1, 0, 2, NULL), 200001);
  EXPECT(with_flag("Add", 2, 1, 0, -1, NULL), 200001);
  EXPECT(with_flag(NULL, 2, 1, 0, 2, NULL), 200001);
}

CASE(A8_no_type) {
  EXPECT(with_flag(NULL, 2, 1, 0, 0, NULL), 100000);
}

CASE(A9_A10_A12_arrays) {
  const Desc* x[] = {d(2, 3), NULL};
  const Desc* y[] = {d(2, 3)};
  EXPECT(compile_all("Add", 2, NULL, 1, y, 0, 0, NULL), 100000);
  EXPECT(compile_all("Add", 2, x, 1, y, 0, 0, NULL), 100000);
  EXPECT(compile_all("Add", 1, x, 1, NULL, 0, 0, NULL), 100000);
}

CASE(A11_no_inputs_is_for_the_compiler) {
  const Desc* y[] = {d(2, 3)};
  EXPECT(compile_all("Add", 0, NULL, 1, y, 0, 0, NULL), 500002);
}

CASE(A13_A14_A15_placement) {
  static uint16_t half[6];
  EXPECT(compile_add(placed(d(2, 3), 1), d(2, 3), d(2, 3), NULL), 200001);
  EXPECT(compile_add(d(2, 3), d(2, 3), placed(d(2, 3), 2), NULL), 200001);
  EXPECT(compile_add(constant(placed(d(2, 3), 1), half, 12), d(2, 3), d(2, 3), NULL), 0);
}

CASE(A16_A17_path) {
  EXPECT(with_flag("Add", 2, 1, 0, 1, NULL), 100000);
  EXPECT(with_flag("Add", 2, 1, 0, 0, "/nonexistent"), 0);
}

CASE(A18_unknown_engine) {
  EXPECT(with_flag("Add", 2, 1, 9, 0, NULL), 500002);
}

CASE(the_engine_is_not_looked_at_when_the_operator_is_there) {
  EXPECT(with_flag("Add", 2, 1, 0, 0, NULL), 0);
  EXPECT(with_flag("Add", 2, 1, 9, 0, NULL), 0);
}

CASE(A19_no_attributes_are_empty_attributes) {
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 0);
  EXPECT(aclrtSetDevice(0), 0);
  Desc* y = d(2, 3);
  EXPECT(run_two("Add", d(2, 3), buf(64), d(2, 3), buf(64), y, buf(64), aclopCreateAttr()), 0);
}

CASE(A20_A21_A22_for_the_compiler) {
  EXPECT(with_flag("", 2, 1, 0, 0, NULL), 500002);
  EXPECT(with_flag("NoSuchOp", 2, 1, 0, 0, NULL), 500002);
  EXPECT(with_flag("Add", 1, 1, 0, 0, NULL), 500002);
  EXPECT(with_flag("Add", 2, 0, 0, 0, NULL), 500002);
}

CASE(a_misspelt_type_names_the_nearest) {
  with_flag("ReLu", 2, 1, 0, 0, NULL);
  EXPECT_TEXT(aclGetRecentErrMsg(),
              "E10501: Operator type [ReLu] is not known; did you mean Relu?");
}

CASE(a_wrong_data_type_names_the_port_and_what_is_accepted) {
  compile_one("Sqrt", vec(ACL_INT8, 3), vec(ACL_INT8, 3), NULL);
  const char* text = aclGetRecentErrMsg();
  EXPECT(text != NULL && strstr(text, "input 0 (x) has data type int8; accepted are ") != NULL, 1);
}

CASE(B1_B2_B3_ranges_of_inputs) {
  EXPECT(compile_add(d(-1, 3), d(2, 3), d(-1, 3), NULL), 100000);
  EXPECT(compile_add(ranged(d(-1, 3), 1, 1, 16, 0, 0), d(2, 3), d(-1, 3), NULL), 100000);
  EXPECT(compile_add(ranged(d(-1, 3), 2, 1, 16, 3, 3), ranged(d(-1, 3), 2, 1, 16, 3, 3), d(-1, 3),
                     NULL),
         0);
}

CASE(B4_B5_unknown_rank) {
  Desc* y = of(ACL_FLOAT16, 1, -2, 0);
  EXPECT(compile_one("Relu", of(ACL_FLOAT16, 1, -2, 0), y, NULL), 0);
  EXPECT(compile_one("Relu", ranged(of(ACL_FLOAT16, 1, -2, 0), 1, 1, 2, 0, 0), y, NULL), 100000);
}

CASE(B6_ranges_of_fixed_dims_are_part_of_the_key) {
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(compile_add(ranged(d(2, 3), 5, 1, 2, 1, 2), d(2, 3), d(2, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 100024);
  EXPECT(run_add(ranged(d(2, 3), 5, 1, 2, 1, 2), d(2, 3), d(2, 3)), 0);
}

CASE(B7_open_dims_of_outputs) {
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(-1, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 0);
}

CASE(B8_minus_two_counts_in_front_only) {
  EXPECT(compile_add(d(3, -2), d(3, -2), d(3, -2), NULL), 500002);  // not 100000
}

CASE(B9_absent_input) {
  const int64_t x_dims[] = {1, 1, 4, 4}, w_dims[] = {1, 1, 1, 1}, ones[] = {1, 1, 1, 1};
  const int64_t pads[] = {0, 0, 0, 0};
  const Desc* x[] = {aclCreateTensorDesc(ACL_FLOAT, 4, x_dims, ACL_FORMAT_NCHW),
                     aclCreateTensorDesc(ACL_FLOAT, 4, w_dims, ACL_FORMAT_NCHW), absent()};
  Desc* y = aclCreateTensorDesc(ACL_FLOAT, 4, x_dims, ACL_FORMAT_NCHW);
  const Desc* const outputs[] = {y};
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrListInt(attr, "strides", 4, ones);
  aclopSetAttrListInt(attr, "pads", 4, pads);
  EXPECT(aclopCompile("Conv2D", 3, x, 1, outputs, attr, SYS), 0);
  Desc* given[] = {(Desc*)x[0], (Desc*)x[1], (Desc*)x[2]};
  float data[16] = {1, 2, 3}, weight = 2, result[16];
  Buffer* in[] = {over(data, 64), over(&weight, 4), over(NULL, 0)};
  Buffer* out[] = {over(result, 64)};
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(aclopExecuteV2("Conv2D", 2, given, in, 1, &y, out, attr, NULL), 100024);  // B11
  EXPECT(aclopExecuteV2("Conv2D", 3, given, in, 1, &y, out, attr, NULL), 0);
  EXPECT(result[0] == 2 && result[2] == 6 && result[15] == 0, 1);
  x[2] = NULL;
  EXPECT(aclopCompile("Conv2D", 3, x, 1, outputs, attr, SYS), 100000);  // B10
}

CASE(half_an_absent_input_is_refused) {
  const int64_t dims[] = {2};
  Desc* odd = aclCreateTensorDesc(ACL_DT_UNDEFINED, 1, dims, ACL_FORMAT_UNDEFINED);
  EXPECT(compile_add(odd, d(2, 3), d(2, 3), NULL), 100000);
}

static Desc* multiples(int32_t a, int32_t b) {
  int32_t values[] = {a, b};
  return constant(vec(ACL_INT32, 2), values, 8);
}

CASE(B12_B13_B14_constants) {
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(compile_two("Tile", f32(1, 2), multiples(1, 2), f32(1, 4), NULL), 0);
  float x[] = {1, 2}, y[4];
  EXPECT(run_two("Tile", f32(1, 2), over(x, 8), multiples(1, 2), over(NULL, 0), f32(1, 4),
                 over(y, 16), NULL),
         0);
  EXPECT(y[0] == 1 && y[1] == 2 && y[2] == 1 && y[3] == 2, 1);
  EXPECT(run_two("Tile", f32(1, 2), buf(8), multiples(2, 1), buf(8), f32(1, 4), buf(16), NULL),
         100024);
  EXPECT(run_two("Tile", f32(1, 2), buf(8), vec(ACL_INT32, 2), buf(8), f32(1, 4), buf(16), NULL),
         100024);
}

CASE(B16_constants_are_copied) {
  int32_t values[] = {1, 2};
  Desc* copied = constant(vec(ACL_INT32, 2), values, 8);
  values[0] = 7;
  EXPECT(compile_two("Tile", f32(1, 2), copied, f32(1, 4), NULL), 0);
}

static aclError concat(int count, const char* const* names) {
  const Desc* x[4];
  for (int i = 0; i < count; ++i) x[i] = names[i][0] ? named(f32(1, 2), names[i]) : f32(1, 2);
  const Desc* y[] = {f32(count, 2)};
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrInt(attr, "concat_dim", 0);
  return aclopCompile("ConcatD", count, x, 1, y, attr, SYS);
}

CASE(B17_B18_B19_groups) {
  const char* one[] = {"x", "x", "x"};
  const char* torn[] = {"x", "x", "y", "x"};
  const char* gap[] = {"x", "", "x"};
  EXPECT(concat(4, torn), 100000);
  EXPECT(concat(3, gap), 100000);
  EXPECT(concat(3, one), 0);
}

CASE(a_dynamic_input_is_not_empty) {
  const char* one[] = {"x"};
  EXPECT(concat(0, one), 500002);
}

CASE(B22_a_private_storage_format) {
  EXPECT(aclrtSetDevice(0), 0);
  Desc* stored = d(2, 3);
  aclSetTensorFormat(stored, ACL_FORMAT_FRACTAL_NZ);
  EXPECT(compile_add(stored, d(2, 3), d(2, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 100024);
  const int64_t blocks[] = {1, 1, 16, 16};
  aclSetTensorShape(stored, 4, blocks);
  EXPECT(run_add(stored, d(2, 3), d(2, 3)), 0);
}

CASE(B22_B23_B24_storage_and_names) {
  EXPECT(aclrtSetDevice(0), 0);
  Desc* stored = d(2, 3);
  aclSetTensorFormat(stored, ACL_FORMAT_ND);
  EXPECT(compile_add(stored, d(2, 3), d(2, 3), NULL), 0);
  EXPECT(run_add(d(2, 3), d(2, 3), d(2, 3)), 100024);
  const int64_t dims[] = {3, 2};
  aclSetTensorShape(stored, 2, dims);
  aclSetTensorDescName(stored, "other");
  EXPECT(run_add(stored, d(2, 3), d(2, 3)), 0);
}

CASE(storage_formats_of_other_tensors_are_refused) {
  Desc* stored = d(2, 3);
  aclSetTensorFormat(stored, ACL_FORMAT_NC1HWC0);
  EXPECT(compile_add(stored, d(2, 3), d(2, 3), NULL), 500002);
}

CASE(C20_required_attribute) {
  EXPECT(compile_one("ReduceSumD", f32(2, 3), vec(ACL_FLOAT, 2), NULL), 500002);
}

CASE(kind_of_an_attribute) {
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrInt(attr, "axes", 1);
  EXPECT(compile_one("ReduceSumD", f32(2, 3), vec(ACL_FLOAT, 2), attr), 500002);
}

CASE(E19_unregistered) {
  const Desc* x[] = {d(2, 3), d(2, 3)};
  const Desc* y[] = {d(2, 3)};
  EXPECT(compile_all("NoSuchOp", 2, x, 1, y, 0, 1, "/tmp"), 500002);
  aclopAttr* attr = aclopCreateAttr();
  const int counts[] = {1};
  const int64_t value = 1;
  const int64_t* lists[] = {&value};
  EXPECT(aclopSetAttrListListInt(attr, "a", 1, counts, lists), 0);
  EXPECT(aclopCompile("Add", 2, x, 1, y, attr, ACL_ENGINE_SYS, ACL_COMPILE_UNREGISTERED, "/tmp"),
         100000);
}
