#include "frontend/onnx/tensor.h"

#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/bools.h"

namespace ge::onnx {
namespace {

namespace fs = std::filesystem;

constexpr DataType kDataTypes[] = {
    DataType::kUndefined,  DataType::kFloat,        DataType::kUint8,      DataType::kInt8,
    DataType::kUint16,     DataType::kInt16,        DataType::kInt32,      DataType::kInt64,
    DataType::kString,     DataType::kBool,         DataType::kFloat16,    DataType::kDouble,
    DataType::kUint32,     DataType::kUint64,       DataType::kComplex64,  DataType::kComplex128,
    DataType::kBf16,       DataType::kFloat8E4m3fn,
    DataType::kUndefined,  // float8e4m3fnuz
    DataType::kFloat8E5m2,
    DataType::kUndefined,  // float8e5m2fnuz
    DataType::kUndefined,  // uint4
    DataType::kInt4,       DataType::kFloat4E2m1,   DataType::kFloat8E8m0, DataType::kUint2,
    DataType::kInt2,
};

// Little-endian bytes of `values`, `width` bytes each.
std::vector<uint8_t> PackInts(const std::vector<int64_t>& values, size_t width) {
  std::vector<uint8_t> bytes(values.size() * width);
  for (size_t i = 0; i < values.size(); ++i) std::memcpy(&bytes[i * width], &values[i], width);
  return bytes;
}

// A decimal number; `fallback` when there is no text, nullopt when it is something else.
std::optional<uint64_t> NumberOr(std::string_view text, uint64_t fallback) {
  if (text.empty()) return fallback;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsInside(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

// Kernels that fold it count on 0 and 1.
void MakeBools(TensorReader::Constant& constant) {
  const std::span<const uint8_t> bytes = constant.bytes.bytes();
  if (constant.desc.dtype != DataType::kBool || AreBools(bytes)) return;
  std::vector<uint8_t> bools(bytes.size());
  CopyBools(bools.data(), bytes);
  constant.bytes = Buffer::Own(std::move(bools));
}

}  // namespace

DataType DataTypeOf(int32_t onnx_type) {
  constexpr int32_t kCount = sizeof(kDataTypes) / sizeof(kDataTypes[0]);
  return onnx_type >= 0 && onnx_type < kCount ? kDataTypes[onnx_type] : DataType::kUndefined;
}

Status TensorReader::Fail(const Tensor& tensor, const std::string& reason) const {
  return Error(ErrorId::kE10041,
               {{"parameter", "--model"},
                {"value", model_->path()},
                {"reason", "tensor [" + std::string(tensor.name) + "]: " + reason}});
}

Result<TensorReader::Constant> TensorReader::Read(const Tensor& tensor) {
  Constant constant;
  constant.desc.dtype = DataTypeOf(tensor.data_type);
  if (constant.desc.dtype == DataType::kUndefined || constant.desc.dtype == DataType::kString) {
    return Fail(tensor, "data type " + std::to_string(tensor.data_type) + " is not supported");
  }
  for (const int64_t dim : tensor.dims) {
    if (dim < 0) return Fail(tensor, "dim " + std::to_string(dim) + " is negative");
  }
  constant.desc.shape = Shape(tensor.dims);
  const std::optional<int64_t> bytes = BytesOf(constant.desc);
  if (!bytes) return Fail(tensor, "shape " + constant.desc.shape.ToString() + " is too large");
  const size_t wanted = static_cast<size_t>(*bytes);
  if (tensor.external) {
    GE_ASSIGN(constant.bytes, ReadExternal(tensor, *bytes));
    MakeBools(constant);
    return constant;
  }

  const auto view = [&](std::string_view data) {
    return Buffer::View(model_, {reinterpret_cast<const uint8_t*>(data.data()), data.size()});
  };
  const std::vector<std::string_view>& fixed =
      tensor.float_data.empty() ? tensor.double_data : tensor.float_data;
  if (tensor.has_raw_data) {
    constant.bytes = view(tensor.raw_data);
  } else if (fixed.size() == 1) {
    constant.bytes = view(fixed.front());
  } else if (!fixed.empty()) {
    std::vector<uint8_t> joined;
    for (const std::string_view part : fixed) joined.insert(joined.end(), part.begin(), part.end());
    constant.bytes = Buffer::Own(std::move(joined));
  } else {
    const size_t width = static_cast<size_t>(std::max(RowOf(constant.desc.dtype).bits / 8, 1));
    constant.bytes = Buffer::Own(PackInts(tensor.int_data, std::min<size_t>(width, 8)));
  }
  if (constant.bytes.size() != wanted) {
    return Fail(tensor, "it holds " + std::to_string(constant.bytes.size()) + " bytes, but " +
                            std::string(UserName(constant.desc.dtype)) + " of shape " +
                            constant.desc.shape.ToString() + " needs " + std::to_string(wanted));
  }
  MakeBools(constant);
  return constant;
}

Result<std::shared_ptr<const MappedFile>> TensorReader::OpenExternal(const Tensor& tensor) {
  const auto known = external_.find(tensor.location);
  if (known != external_.end()) return known->second;
  const std::string location(tensor.location);
  const fs::path relative(location);
  if (location.empty()) return Fail(tensor, "its external data has no location");
  if (relative.is_absolute() || !IsInside(relative.lexically_normal(), ".")) {
    return Fail(tensor, "its external data location [" + location +
                            "] leaves the folder of the model, which is refused");
  }
  // A link may stay inside the folder the model was named in, or the one it really stands in.
  std::error_code error;
  const fs::path folder = fs::path(model_->path()).parent_path();
  const fs::path file = (folder.empty() ? fs::path(".") : folder) / relative;
  const fs::path real = fs::weakly_canonical(file, error);
  const fs::path named = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  const fs::path stands = fs::weakly_canonical(model_->path(), error).parent_path();
  if (!IsInside(real, named) && !IsInside(real, stands)) {
    return Fail(tensor, "its external data location [" + location + "] is a link to [" +
                            real.string() + "], outside the folder of the model");
  }
  Result<std::shared_ptr<const MappedFile>> opened = MappedFile::Open(file.string());
  if (!opened.ok()) {
    return Fail(tensor, "its external data file [" + file.string() +
                            "] cannot be used: " + opened.status().problems().front().message);
  }
  external_.emplace(location, *opened);
  return *opened;
}

Result<Buffer> TensorReader::ReadExternal(const Tensor& tensor, int64_t bytes) {
  GE_ASSIGN(const std::shared_ptr<const MappedFile> file, OpenExternal(tensor));
  const uint64_t size = file->bytes().size();
  const uint64_t wanted = static_cast<uint64_t>(bytes);
  const std::optional<uint64_t> offset = NumberOr(tensor.offset, 0);
  const std::optional<uint64_t> length = NumberOr(tensor.length, wanted);
  if (!offset || !length) {
    return Fail(tensor, "its external data has the offset [" + std::string(tensor.offset) +
                            "] and the length [" + std::string(tensor.length) +
                            "]; whole numbers of bytes are accepted");
  }
  if (*length != wanted) {
    return Fail(tensor, "its external data length " + std::to_string(*length) +
                            " does not fit its shape, which needs " + std::to_string(bytes));
  }
  if (*offset > size || wanted > size - *offset) {
    return Fail(tensor, "its external data needs " + std::to_string(wanted) + " bytes from byte " +
                            std::to_string(*offset) + " on of [" + file->path() + "], which has " +
                            std::to_string(size));
  }
  return Buffer::View(file, file->bytes().subspan(*offset, wanted));
}

}  // namespace ge::onnx
