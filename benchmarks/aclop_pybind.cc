// The same C functions by pybind11, as one would wrap them.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_op_compiler.h"

namespace py = pybind11;

namespace {

struct Desc {
  Desc(int dtype, const std::vector<int64_t>& dims, int format)
      : desc(aclCreateTensorDesc(static_cast<aclDataType>(dtype), static_cast<int>(dims.size()),
                                 dims.data(), static_cast<aclFormat>(format))) {}
  Desc(const Desc&) = delete;
  ~Desc() { aclDestroyTensorDesc(desc); }
  aclTensorDesc* desc;
};

struct Attr {
  Attr() : attr(aclopCreateAttr()) {}
  Attr(const Attr&) = delete;
  ~Attr() { aclopDestroyAttr(attr); }
  void SetInt(const std::string& name, int64_t value) {
    aclopSetAttrInt(attr, name.c_str(), value);
  }
  void SetFloat(const std::string& name, float value) {
    aclopSetAttrFloat(attr, name.c_str(), value);
  }
  aclopAttr* attr;
};

std::vector<const aclTensorDesc*> PointersOf(const std::vector<Desc*>& descs) {
  std::vector<const aclTensorDesc*> pointers;
  for (const Desc* desc : descs) pointers.push_back(desc->desc);
  return pointers;
}

int Compile(const std::string& type, const std::vector<Desc*>& inputs,
            const std::vector<Desc*>& outputs, const Attr& attr) {
  const auto x = PointersOf(inputs), y = PointersOf(outputs);
  const py::gil_scoped_release release;
  return aclopCompile(type.c_str(), static_cast<int>(x.size()), x.data(),
                      static_cast<int>(y.size()), y.data(), attr.attr, ACL_ENGINE_SYS,
                      ACL_COMPILE_SYS, nullptr);
}

class Handle {
 public:
  Handle(const std::string& type, const std::vector<Desc*>& inputs,
         const std::vector<Desc*>& outputs, const Attr& attr) {
    const auto x = PointersOf(inputs), y = PointersOf(outputs);
    aclopCreateHandle(type.c_str(), static_cast<int>(x.size()), x.data(),
                      static_cast<int>(y.size()), y.data(), attr.attr, &handle_);
  }
  Handle(const Handle&) = delete;
  ~Handle() { aclopDestroyHandle(handle_); }

  int Run(const std::vector<py::buffer>& inputs, const std::vector<py::buffer>& outputs) {
    std::vector<py::buffer_info> held;
    std::vector<aclDataBuffer*> buffers;
    for (const auto* list : {&inputs, &outputs}) {
      for (const py::buffer& buffer : *list) {
        held.push_back(buffer.request());
        buffers.push_back(aclCreateDataBuffer(
            held.back().ptr, static_cast<size_t>(held.back().size * held.back().itemsize)));
      }
    }
    int code = 0;
    {
      const py::gil_scoped_release release;
      code = aclopExecWithHandle(handle_, static_cast<int>(inputs.size()), buffers.data(),
                                 static_cast<int>(outputs.size()), buffers.data() + inputs.size(),
                                 nullptr);
    }
    for (aclDataBuffer* buffer : buffers) aclDestroyDataBuffer(buffer);
    return code;
  }

 private:
  aclopHandle* handle_ = nullptr;
};

}  // namespace

PYBIND11_MODULE(aclop_pybind, module) {
  module.def("init", [] { return aclInit(nullptr) + aclrtSetDevice(0); });
  module.def("compile", Compile);
  py::class_<Desc>(module, "Desc").def(py::init<int, std::vector<int64_t>, int>());
  py::class_<Attr>(module, "Attr")
      .def(py::init<>())
      .def("set_int", &Attr::SetInt)
      .def("set_float", &Attr::SetFloat);
  py::class_<Handle>(module, "Handle")
      .def(py::init<std::string, std::vector<Desc*>, std::vector<Desc*>, const Attr&>())
      .def("run", &Handle::Run);
}
