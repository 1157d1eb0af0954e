// A program as users of the C API write it for a device: configuration, device, context, stream,
// device memory, one compiled operator, its handle, results back on the host.
#include <cstdio>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

#define CHECK(call)                                                         \
  do {                                                                      \
    const aclError code = (call);                                           \
    if (code != ACL_SUCCESS) {                                              \
      const char* text = aclGetRecentErrMsg();                              \
      std::printf("%s: %d %s\n", #call, code, text != nullptr ? text : ""); \
      return false;                                                         \
    }                                                                       \
  } while (false)

namespace {

class OpRunner {
 public:
  explicit OpRunner(const std::string& type) : type_(type), attr_(aclopCreateAttr()) {}
  ~OpRunner() {
    for (aclTensorDesc* desc : descs_[0]) aclDestroyTensorDesc(desc);
    for (aclTensorDesc* desc : descs_[1]) aclDestroyTensorDesc(desc);
    for (std::vector<aclDataBuffer*>& side : buffers_) {
      for (aclDataBuffer* buffer : side) {
        aclrtFree(aclGetDataBufferAddr(buffer));
        aclDestroyDataBuffer(buffer);
      }
    }
    aclopDestroyAttr(attr_);
  }

  aclopAttr* attr() { return attr_; }

  bool Add(bool output, aclDataType dtype, const std::vector<int64_t>& dims) {
    aclTensorDesc* desc =
        aclCreateTensorDesc(dtype, static_cast<int>(dims.size()), dims.data(), ACL_FORMAT_ND);
    descs_[output].push_back(desc);
    void* memory = nullptr;
    const size_t bytes = aclGetTensorDescSize(desc);
    CHECK(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_NORMAL_ONLY));
    buffers_[output].push_back(aclCreateDataBuffer(memory, bytes));
    return true;
  }

  bool Write(size_t input, const void* data) {
    aclDataBuffer* buffer = buffers_[0][input];
    const size_t bytes = aclGetDataBufferSizeV2(buffer);
    CHECK(aclrtMemcpy(aclGetDataBufferAddr(buffer), bytes, data, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    return true;
  }

  bool Read(size_t output, void* data) {
    aclDataBuffer* buffer = buffers_[1][output];
    const size_t bytes = aclGetDataBufferSizeV2(buffer);
    CHECK(aclrtMemcpy(data, bytes, aclGetDataBufferAddr(buffer), bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    return true;
  }

  bool Compile() {
    CHECK(aclopCompile(type_.c_str(), Count(0), descs_[0].data(), Count(1), descs_[1].data(), attr_,
                       ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr));
    return true;
  }

  bool Run(aclrtStream stream) {
    CHECK(aclopExecuteV2(type_.c_str(), Count(0), descs_[0].data(), buffers_[0].data(), Count(1),
                         descs_[1].data(), buffers_[1].data(), attr_, stream));
    CHECK(aclrtSynchronizeStream(stream));
    return true;
  }

  bool RunWithHandle(aclrtStream stream) {
    aclopHandle* handle = nullptr;
    CHECK(aclopCreateHandle(type_.c_str(), Count(0), descs_[0].data(), Count(1), descs_[1].data(),
                            attr_, &handle));
    CHECK(aclopExecWithHandle(handle, Count(0), buffers_[0].data(), Count(1), buffers_[1].data(),
                              stream));
    aclopDestroyHandle(handle);
    CHECK(aclrtSynchronizeStream(stream));
    return true;
  }

 private:
  int Count(size_t side) const { return static_cast<int>(descs_[side].size()); }

  std::string type_;
  aclopAttr* attr_;
  std::vector<aclTensorDesc*> descs_[2];
  std::vector<aclDataBuffer*> buffers_[2];
};

bool RunMatMul(aclrtStream stream) {
  OpRunner op("MatMulV2");
  if (!op.Add(false, ACL_FLOAT, {2, 3}) || !op.Add(false, ACL_FLOAT, {2, 3}) ||
      !op.Add(true, ACL_FLOAT, {2, 2})) {
    return false;
  }
  CHECK(aclopSetAttrBool(op.attr(), "transpose_x1", 0));
  CHECK(aclopSetAttrBool(op.attr(), "transpose_x2", 1));
  const float x1[] = {1, 2, 3, 4, 5, 6}, x2[] = {1, 0, 1, 0, 1, 0};
  float y[4] = {};
  if (!op.Write(0, x1) || !op.Write(1, x2) || !op.Compile() || !op.Run(stream) || !op.Read(0, y)) {
    return false;
  }
  std::printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  if (!op.RunWithHandle(stream) || !op.Read(0, y)) return false;
  std::printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  return true;
}

bool Run(const char* config) {
  CHECK(aclInit(config));
  CHECK(aclrtSetDevice(0));
  aclrtRunMode mode;
  CHECK(aclrtGetRunMode(&mode));
  aclrtContext context;
  CHECK(aclrtCreateContext(&context, 0));
  aclrtStream stream;
  CHECK(aclrtCreateStream(&stream));
  std::printf("%s\n", aclrtGetSocName());
  const bool done = RunMatMul(stream);
  CHECK(aclrtDestroyStream(stream));
  CHECK(aclrtDestroyContext(context));
  CHECK(aclrtResetDevice(0));
  CHECK(aclFinalize());
  return done;
}

}  // namespace

int main(int, char** argv) {
  return Run(argv[1]) ? 0 : 1;
}
