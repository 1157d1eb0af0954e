#include "hooks/kernel_shapes.h"

#include "base/status.h"
#include "hooks/kernel_graph.h"

namespace ge::hooks {
namespace {

// Operators get bools as int8.
bool SameDtype(DataType kernel, DataType node) {
  return kernel == node || (kernel == DataType::kInt8 && node == DataType::kBool);
}

std::string Text(const TensorDesc& desc) {
  return std::string(UserName(desc.dtype)) + " " + desc.shape.ToString();
}

bool SameElements(const Shape& a, const Shape& b) {
  const std::optional<int64_t> x = a.elements(), y = b.elements();
  return !x || !y || *x == *y;
}

}  // namespace

Shape ResultShape(std::span<const TensorDesc> recorded, std::span<const Shape> given,
                  const Shape& output, const Shape& result) {
  for (size_t i = 0; i < recorded.size() && i < given.size(); ++i) {
    const bool joined = recorded[i].shape != given[i] && recorded[i].shape == output;
    if (joined && SameElements(given[i], result)) return given[i];
  }
  return result;
}

Status CheckKernel(const Graph& kernel, const Node& node) {
  Status faults;
  const auto fault = [&](const std::string& reason) {
    faults.Add(
        Error(ErrorId::kE14001,
              {{"opname", node.source_name()}, {"optype", node.type()}, {"reason", reason}}));
  };
  std::vector<TensorDesc> inputs;
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i)) inputs.push_back(node.input(i).desc());
  }
  const std::vector<Node*> ports = kernel.InputNodes();
  if (ports.size() != inputs.size()) {
    fault("its kernel was recorded with " + std::to_string(ports.size()) +
          " inputs; the node has " + std::to_string(inputs.size()) +
          ". Give build all of them in tensor_list, inputs first");
    return faults;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorDesc& recorded = ports[i]->output(0);
    const bool fits =
        !inputs[i].shape.is_static() || ShapeForKernel(recorded.shape, inputs[i].shape, "").ok();
    if (!SameDtype(recorded.dtype, inputs[i].dtype) || !fits) {
      fault("its kernel was recorded for " + Text(recorded) + " as input " + std::to_string(i) +
            "; the node has " + Text(inputs[i]));
    }
  }
  const Node& results = *kernel.net_output();
  if (results.input_count() != node.output_count()) {
    fault("its kernel was recorded with " + std::to_string(results.input_count()) +
          " outputs; the node has " + std::to_string(node.output_count()));
    return faults;
  }
  for (size_t i = 0; i < node.output_count(); ++i) {
    const TensorDesc recorded = results.input(i).desc();
    const TensorDesc& wanted = node.output(i);
    const bool open = wanted.dtype == DataType::kUndefined;
    if ((!open && !SameDtype(recorded.dtype, wanted.dtype)) ||
        !SameElements(recorded.shape, wanted.shape)) {
      fault("its kernel gives " + Text(recorded) + " as output " + std::to_string(i) +
            "; the node has " + Text(wanted));
    }
  }
  return faults;
}

}  // namespace ge::hooks
