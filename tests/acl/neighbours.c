// Options, model folders, kernels, shapes, dumps.
#include <sys/stat.h>
#include <unistd.h>

#include "ops.h"

#define OPT(number) ((aclCompileOpt)(number))

CASE(E1_E2_E3_E4_set) {
  EXPECT(aclSetCompileopt(ACL_PRECISION_MODE, NULL), 100000);
  EXPECT(aclSetCompileopt(ACL_AUTO_TUNE_MODE, "x"), 200006);
  EXPECT(aclSetCompileopt(OPT(99), "x"), 500000);
  EXPECT(aclSetCompileopt(OPT(99), NULL), 100000);
  EXPECT(aclSetCompileopt(ACL_PRECISION_MODE, "garbage"), 0);
  EXPECT(compile_add(d(2, 3), d(2, 3), d(2, 3), NULL), 500002);
}

CASE(E5_size) {
  EXPECT(aclGetCompileoptSize(ACL_OP_JIT_COMPILE), 256);
  EXPECT(aclGetCompileoptSize(ACL_PRECISION_MODE), 0);
  EXPECT(aclSetCompileopt(ACL_PRECISION_MODE, "ab"), 0);
  EXPECT(aclGetCompileoptSize(ACL_PRECISION_MODE), 3);
  EXPECT(aclGetCompileoptSize(OPT(99)), 0);
}

CASE(E6_E7_get) {
  char text[64] = "";
  EXPECT(aclSetCompileopt(ACL_PRECISION_MODE, "origin"), 0);
  EXPECT(aclGetCompileopt(ACL_PRECISION_MODE, text, 64), 200001);
  EXPECT(aclGetCompileopt(ACL_OP_DEBUG_OPTION, text, 64), 200001);
  EXPECT(aclSetCompileopt(ACL_OP_DEBUG_OPTION, "oom"), 0);
  EXPECT(aclGetCompileopt(ACL_OP_DEBUG_OPTION, text, 2), 500001);
  EXPECT(aclGetCompileopt(ACL_OP_DEBUG_OPTION, text, 0x80000000), 500001);
  EXPECT(aclGetCompileopt(ACL_OP_DEBUG_OPTION, text, 4), 0);
  EXPECT_TEXT(text, "oom");
  EXPECT(aclGetCompileopt(ACL_OP_JIT_COMPILE, text, 64), 0);
  EXPECT_TEXT(text, "enable");
  EXPECT(aclGetCompileopt(ACL_OP_JIT_COMPILE, NULL, 64), 100000);
}

CASE(E8_case_of_a_value) {
  EXPECT(aclSetCompileopt(ACL_OP_JIT_COMPILE, "ENABLE"), 0);
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(run_add(d(-1, 3), d(2, 3), d(2, 3)), 100024);  // sizes are open: not enabled
  EXPECT(aclSetCompileopt(ACL_OP_JIT_COMPILE, "enable"), 0);
  EXPECT(run_add(d(-1, 3), d(2, 3), d(2, 3)), 100000);
}

CASE(A23_options_are_not_part_of_the_key) {
  EXPECT(compile_add(f32(2, 3), f32(2, 3), f32(2, 3), NULL), 0);
  EXPECT(aclSetCompileopt(ACL_PRECISION_MODE, "garbage"), 0);
  EXPECT(compile_add(f32(2, 3), f32(2, 3), f32(2, 3), NULL), 0);
}

CASE(E9_E10_folder) {
  EXPECT(aclopSetModelDir(NULL), 100000);
  EXPECT(aclopSetModelDir("missing"), 100014);
  EXPECT(mkdir("one", 0700), 0);
  EXPECT(mkdir("two", 0700), 0);
  EXPECT(aclopSetModelDir("one"), 0);
  EXPECT(aclopSetModelDir("two"), 100002);
  EXPECT(aclopSetModelDir("missing"), 100014);
}

CASE(E13_load) {
  static char bytes[400];
  EXPECT(aclopLoad(NULL, 100), 100000);
  EXPECT(aclopLoad(bytes, 0), 100000);
  EXPECT(aclopLoad(bytes, 256), 100013);
  EXPECT(aclopLoad(bytes, 400), 100013);
  const uint64_t length = 400 - 256;
  memcpy(bytes + 184, &length, 8);
  EXPECT(aclopLoad(bytes, 400), 100012);
}

static int released;
static void release(void* data, size_t bytes) {
  (void)data;
  released = (int)bytes;
}

CASE(E14_E15_kernels) {
  char binary[8] = "";
  EXPECT(aclopCreateKernel("Mine", "k", "name", binary, 8, ACL_ENGINE_AICORE, release), 0);
  EXPECT(aclopCreateKernel("Mine", "k", "name", binary, 8, ACL_ENGINE_AICORE, NULL), 100031);
  EXPECT(aclopCreateKernel("Mine", "k", "name", binary, 8, ACL_ENGINE_SYS, NULL), 100031);
  EXPECT(aclopCreateKernel("Mine", "l", "name", binary, 8, ACL_ENGINE_SYS, NULL), 100000);
  EXPECT(aclopCreateKernel(NULL, "l", "name", binary, 8, ACL_ENGINE_AICORE, NULL), 100000);
  EXPECT(aclopCreateKernel("Mine", NULL, "name", binary, 8, ACL_ENGINE_AICORE, NULL), 100000);
  EXPECT(aclopCreateKernel("Mine", "l", NULL, binary, 8, ACL_ENGINE_AICORE, NULL), 100000);
  EXPECT(aclopCreateKernel("Mine", "l", "name", NULL, 8, ACL_ENGINE_AICORE, NULL), 100000);
}

static aclError answer;
static const char* chosen = "k";
static int workspaces;

static aclError choose(int inputs, const Desc* const x[], int outputs, const Desc* const y[],
                       const aclopAttr* attr, aclopKernelDesc* kernel) {
  size_t sizes[17] = {0};
  (void)attr;
  EXPECT(inputs == 1 && x[0] != NULL && outputs == 1 && y[0] != NULL, 1);
  EXPECT(aclopSetKernelArgs(NULL, chosen, 1, sizes, 8), 100000);
  EXPECT(aclopSetKernelArgs(kernel, NULL, 1, sizes, 8), 100000);
  EXPECT(aclopSetKernelArgs(kernel, chosen, 1, NULL, 8), 100000);
  EXPECT(aclopSetKernelArgs(kernel, chosen, 1, sizes, 8), 0);
  EXPECT(aclopSetKernelWorkspaceSizes(NULL, 1, sizes), 100000);
  EXPECT(aclopSetKernelWorkspaceSizes(kernel, -1, sizes), 100000);
  EXPECT(aclopSetKernelWorkspaceSizes(kernel, 1, NULL), 100000);
  EXPECT(aclopSetKernelWorkspaceSizes(kernel, workspaces, sizes), 0);
  return answer;
}

CASE(E16_E17_compile_functions) {
  EXPECT(aclopRegisterCompileFunc("Mine", choose), 0);
  EXPECT(aclopRegisterCompileFunc("Mine", choose), 100030);
  EXPECT(aclopRegisterCompileFunc(NULL, choose), 100000);
  EXPECT(aclopRegisterCompileFunc("Mine", NULL), 100000);
  EXPECT(aclopUnregisterCompileFunc(NULL), 100000);
  EXPECT(aclopUnregisterCompileFunc("Other"), 0);
  EXPECT(aclopUnregisterCompileFunc("Mine"), 0);
  EXPECT(aclopRegisterCompileFunc("Mine", choose), 0);
}

CASE(E18_E19_kernels_that_are_chosen) {
  const Desc* x[] = {d(2, 3)};
  const Desc* y[] = {d(2, 3)};
  char binary[8] = "";
  EXPECT(aclrtSetDevice(0), 0);
  EXPECT(aclopUpdateParams(NULL, 1, x, 1, y, NULL), 100000);
  EXPECT(aclopUpdateParams("Mine", 1, x, 1, y, NULL), 100028);
  EXPECT(aclopRegisterCompileFunc("Mine", choose), 0);
  answer = 5;
  EXPECT(aclopUpdateParams("Mine", 1, x, 1, y, NULL), 5);
  answer = 0;
  EXPECT(aclopUpdateParams("Mine", 1, x, 1, y, NULL), 100029);
  EXPECT(aclopCreateKernel("Mine", "k", "name", binary, 8, ACL_ENGINE_AICORE, NULL), 0);
  workspaces = 17;
  EXPECT(aclopUpdateParams("Mine", 1, x, 1, y, NULL), 0);
  EXPECT(run_one("Mine", d(2, 3), d(2, 3), NULL), 100000);
  workspaces = 16;
  EXPECT(aclopUpdateParams("Mine", 1, x, 1, y, NULL), 0);
  EXPECT(run_one("Mine", d(2, 3), d(2, 3), NULL), 207000);  // a binary for an NPU
}

static aclError infer_add(Desc* y, Buffer* first) {
  Desc* x[] = {f32(4, 1), f32(1, 3)};
  Buffer* in[] = {first, buf(12)};
  return aclopInferShape("Add", 2, x, in, 1, &y, NULL);
}

CASE(E20_E21_infer) {
  Desc* y = absent();
  unsetenv("ASCEND_OPP_PATH");
  EXPECT(infer_add(y, buf(16)), 148049);
  setenv("ASCEND_OPP_PATH", ".", 1);
  EXPECT(infer_add(y, over(NULL, 0)), 100000);
  EXPECT(infer_add(y, NULL), 100000);
  EXPECT(infer_add(y, buf(16)), 0);
  EXPECT(aclGetTensorDescType(y), ACL_FLOAT);
  EXPECT(aclGetTensorDescDim(y, 0), 4);
  EXPECT(aclGetTensorDescDim(y, 1), 3);
}

CASE(shapes_that_depend_on_values) {
  setenv("ASCEND_OPP_PATH", ".", 1);
  int32_t counts[] = {2, 3};
  Desc* x[] = {f32(1, 2), vec(ACL_INT32, 2)};
  Buffer* in[] = {buf(8), over(counts, 8)};
  Desc* y = absent();
  EXPECT(aclopInferShape("Tile", 2, x, in, 1, &y, NULL), 0);
  EXPECT(aclGetTensorDescDim(y, 0), 2);
  EXPECT(aclGetTensorDescDim(y, 1), 6);
}

static aclError dump(const char* type, const char* path, const aclGraphDumpOption* option) {
  const Desc* x[] = {d(2, 3), d(2, 3)};
  const Desc* y[] = {d(2, 3)};
  const Buffer* in[] = {buf(12), buf(12)};
  Buffer* out[] = {buf(12)};
  return aclGenGraphAndDumpForOp(type, 2, x, in, 1, y, out, NULL, ACL_ENGINE_SYS, path, option);
}

CASE(E22_E23_E24_dump) {
  aclGraphDumpOption* option = aclCreateGraphDumpOpt();
  EXPECT(dump(NULL, "./out.txt", option), 100000);
  EXPECT(aclDestroyGraphDumpOpt(option), 0);
  EXPECT(aclDestroyGraphDumpOpt(NULL), 100000);
  EXPECT(dump("Add", NULL, NULL), 100000);
  EXPECT(dump("Add", "out.txt", NULL) != 0, 1);
  EXPECT(dump("Add", "./missing/out.txt", NULL) != 0, 1);
  EXPECT(dump("Add", "./", NULL), 0);
  EXPECT(access("ge_proto_00000_Add3.txt", R_OK), 0);
  EXPECT(dump("Add", "./out.txt", NULL), 0);
  EXPECT(access("out.txt", R_OK), 0);
}

// Whether the dump of three inputs with these names holds the text.
static int dump_holds(const char* const* names, const char* text) {
  static char content[100000];
  const Desc* x[4];
  const Buffer* in[4];
  for (int i = 0; i < 4; ++i) {
    x[i] = names[i][0] ? named(f32(1, 2), names[i]) : f32(1, 2);
    in[i] = buf(8);
  }
  const Desc* y[] = {f32(4, 2)};
  Buffer* out[] = {buf(32)};
  aclopAttr* attr = aclopCreateAttr();
  aclopSetAttrInt(attr, "concat_dim", 0);
  EXPECT(aclGenGraphAndDumpForOp("ConcatD", 4, x, in, 1, y, out, attr, ACL_ENGINE_SYS, "./g.txt",
                                 NULL),
         0);
  FILE* file = fopen("g.txt", "r");
  content[fread(content, 1, sizeof(content) - 1, file)] = '\0';
  fclose(file);
  return strstr(content, text) != NULL;
}

CASE(B17_group_in_a_dump) {
  const char* names[] = {"x", "x", "x", "x"};
  EXPECT(dump_holds(names, "_dynamic_input_index_start"), 1);
  EXPECT(dump_holds(names, "\"ConcatD"), 1);
}

CASE(dump_of_arguments) {
  aclError aclopStartDumpArgs(uint32_t, const char*);
  aclError aclopStopDumpArgs(uint32_t);
  EXPECT(aclopStartDumpArgs(1, NULL), 100000);
  EXPECT(aclopStartDumpArgs(1, "."), 207000);
  EXPECT(aclopStopDumpArgs(1), 207000);
}
