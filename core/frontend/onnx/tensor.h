#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/file.h"
#include "frontend/onnx/model.h"
#include "ir/graph.h"

namespace ge::onnx {

// GE dtype of an ONNX TensorProto.DataType; kUndefined for those GE does not have.
DataType DataTypeOf(int32_t onnx_type);

// Turns tensors of a model into constants.  Raw and fixed-width data stay views into the file
// they stand in; only varint-coded data is copied.
class TensorReader {
 public:
  explicit TensorReader(std::shared_ptr<const MappedFile> model) : model_(std::move(model)) {}

  struct Constant {
    TensorDesc desc;
    Buffer bytes;
  };
  // E10041 when the data does not fit the dims, or external data cannot be used; the message
  // names the tensor and the file.
  Result<Constant> Read(const Tensor& tensor);

 private:
  Result<Buffer> ReadExternal(const Tensor& tensor, int64_t bytes);
  Result<std::shared_ptr<const MappedFile>> OpenExternal(const Tensor& tensor);
  Status Fail(const Tensor& tensor, const std::string& reason) const;

  std::shared_ptr<const MappedFile> model_;
  std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> external_;
};

}  // namespace ge::onnx
