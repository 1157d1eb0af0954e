// Compiles two operators that cannot be kept in the folder of the argument.
#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

namespace {

aclError CompileRelu(int64_t count) {
  const aclTensorDesc* x = aclCreateTensorDesc(ACL_FLOAT16, 1, &count, ACL_FORMAT_ND);
  const aclError code =
      aclopCompile("Relu", 1, &x, 1, &x, nullptr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr);
  aclDestroyTensorDesc(x);
  return code;
}

}  // namespace

int main(int, char** argv) {
  if (aclInit(nullptr) != 0 || aclSetCompileopt(ACL_OP_COMPILER_CACHE_MODE, "enable") != 0 ||
      aclSetCompileopt(ACL_OP_COMPILER_CACHE_DIR, argv[1]) != 0) {
    return 1;
  }
  return CompileRelu(3) == 0 && CompileRelu(4) == 0 ? 0 : 1;
}
