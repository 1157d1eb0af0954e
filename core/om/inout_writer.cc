#include "om/inout_writer.h"

#include "om/layout.h"

namespace ge::om {
namespace {

template <typename T>
void Append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// `range`: least and greatest size per dim, or null.
void AppendTensor(std::string& bytes, const TensorDesc& desc, const std::string& name,
                  const std::vector<std::vector<int64_t>>* range = nullptr) {
  const std::span<const int64_t> dims = desc.shape.dims();
  const uint32_t dims_len = static_cast<uint32_t>(dims.size() * sizeof(int64_t));
  InoutTensor tensor;
  tensor.size = static_cast<uint64_t>(BytesOf(desc).value_or(0));
  tensor.format = static_cast<int32_t>(desc.format);
  tensor.dtype = static_cast<int32_t>(desc.dtype);
  tensor.name_len = static_cast<uint32_t>(name.size());
  tensor.dims_len = dims_len;
  tensor.dimsV2_len = dims_len;
  if (range != nullptr) {
    tensor.range_len = static_cast<uint32_t>(range->size() * 2 * sizeof(int64_t));
  }
  Append(bytes, tensor);
  bytes += name;
  for (int copy = 0; copy < 2; ++copy) {
    for (const int64_t dim : dims) Append(bytes, dim);
  }
  if (range == nullptr) return;
  for (const std::vector<int64_t>& limits : *range) {
    Append(bytes, limits[0]);
    Append(bytes, limits[1]);
  }
}

void AppendRecord(std::string& bytes, InoutType type, uint32_t count, const std::string& tensors) {
  if (count == 0) return;
  Append(bytes, static_cast<uint32_t>(type));
  Append(bytes, static_cast<uint32_t>(sizeof(count) + tensors.size()));
  Append(bytes, count);
  bytes += tensors;
}

}  // namespace

std::string BuildInoutInfo(const Graph& root, const std::vector<std::string>& output_names) {
  std::string inputs, outputs, bytes;
  const std::vector<Node*> nodes = root.InputNodes();
  for (const Node* node : nodes) {
    AppendTensor(inputs, node->output(0), node->name(),
                 node->attrs().Get<std::vector<std::vector<int64_t>>>("shape_range"));
  }
  const Node& net_output = *root.net_output();
  for (size_t i = 0; i < net_output.input_count(); ++i) {
    AppendTensor(outputs, net_output.input(i).desc(), output_names[i]);
  }
  AppendRecord(bytes, InoutType::kInputs, static_cast<uint32_t>(nodes.size()), inputs);
  AppendRecord(bytes, InoutType::kOutputs, static_cast<uint32_t>(net_output.input_count()),
               outputs);
  return bytes;
}

}  // namespace ge::om
