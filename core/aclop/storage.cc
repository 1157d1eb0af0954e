#include "aclop/storage.h"

#include "kernels/storage_layout.h"
#include "ops/op_impl.h"

namespace ge::aclop {
namespace {

Result<Value> AddTransData(Graph& graph, const std::string& name, Value x, Format from, Format to,
                           const OpTensorDesc& desc) {
  Node* const node = graph.Add("TransData", name + "/TransData", {x});
  node->attrs().Set("src_format", std::string(FormatName(from)));
  node->attrs().Set("dst_format", std::string(FormatName(to)));
  if (!IsBlocked(to)) {
    node->attrs().Set("dst_shape", std::vector<int64_t>(desc.dims.begin(), desc.dims.end()));
  }
  node->output(0).format = to;
  GE_TRY(InferNode(*node));
  return node->out();
}

bool SameDims(const SmallVector<int64_t, 4>& dims, const Shape& shape) {
  return shape == Shape(std::span<const int64_t>(dims));
}

}  // namespace

Format FormatOf(int32_t format) {
  const bool known = format >= 0 && FormatName(static_cast<Format>(format)) != "RESERVED";
  return known ? static_cast<Format>(format) : Format::kND;
}

std::string StorageFault(const OpTensorDesc& desc, bool grouped) {
  const Format origin = FormatOf(desc.format);
  const int32_t number = desc.storage_format;
  if (number == kUndefinedNumber || number == desc.format ||
      number == static_cast<int32_t>(origin)) {
    return "";
  }
  const std::string both =
      "storage format " + FormatText(number) + " of a tensor that is " + FormatText(desc.format);
  if (!IsBlocked(static_cast<Format>(number))) {
    // ND says nothing of axes.
    const bool known = number >= 0 && FormatName(static_cast<Format>(number)) != "RESERVED";
    if (known && (origin == Format::kND || static_cast<Format>(number) == Format::kND)) return "";
    return both + ", which the host engine does not convert; accepted are that format itself, " +
           "NC1HWC0, NC1HWC0_C04, NDC1HWC0, FRACTAL_Z, FRACTAL_Z_3D and FRACTAL_NZ";
  }
  const auto format = static_cast<Format>(number);
  const Shape shape{std::span<const int64_t>(desc.dims)};
  if (!shape.is_static()) return both + ", whose dims " + shape.ToString() + " are not all known";
  if (grouped && (format == Format::kFractalZ || format == Format::kFractalZ3D)) {
    return both + " for a convolution of several groups, which the host engine does not convert";
  }
  const std::optional<Shape> stored =
      StorageShape(format, origin, shape, static_cast<DataType>(desc.dtype));
  if (!stored) return both + " " + shape.ToString() + ", which has no such form";
  if (!desc.storage_dims.empty() && !SameDims(desc.storage_dims, *stored)) {
    return both + " " + shape.ToString() + " with the storage shape " +
           Shape(std::span<const int64_t>(desc.storage_dims)).ToString() + "; it is " +
           stored->ToString();
  }
  return "";
}

OpDefinition AsStored(const OpDefinition& definition) {
  OpDefinition stored = definition;
  if (stored.inputs.size() != 1 || stored.outputs.size() != 1) return stored;
  const auto adopt = [](OpTensorDesc& blocks, const OpTensorDesc& plain) {
    if (!IsBlocked(static_cast<Format>(blocks.format)) ||
        blocks.storage_format != kUndefinedNumber || IsBlocked(static_cast<Format>(plain.format))) {
      return;
    }
    blocks.storage_format = blocks.format;
    blocks.storage_dims = blocks.dims;
    blocks.format = plain.format;
    blocks.dims = plain.dims;
  };
  adopt(stored.inputs[0], definition.outputs[0]);
  adopt(stored.outputs[0], definition.inputs[0]);
  return stored;
}

Result<Value> FromBlocks(Graph& graph, const std::string& name, Value blocks,
                         const OpTensorDesc& desc) {
  return AddTransData(graph, name, blocks, static_cast<Format>(desc.storage_format),
                      FormatOf(desc.format), desc);
}

Result<Value> ToBlocks(Graph& graph, const std::string& name, Value tensor,
                       const OpTensorDesc& desc) {
  return AddTransData(graph, name, tensor, FormatOf(desc.format),
                      static_cast<Format>(desc.storage_format), desc);
}

}  // namespace ge::aclop
