#include "dump/onnx_form.h"

#include <protozero/pbf_writer.hpp>

#include "frontend/onnx/tensor.h"

namespace ge {
namespace {

using protozero::pbf_writer;

// Field numbers of onnx.proto.
namespace field {
enum Model : protozero::pbf_tag_type {
  kIrVersion = 1,
  kProducer = 2,
  kProducerVersion = 3,
  kGraph = 7
};
enum GraphField : protozero::pbf_tag_type { kNode = 1, kGraphName = 2 };
enum NodeField : protozero::pbf_tag_type { kInput = 1, kOutput, kName, kOpType, kAttribute };
enum AttributeField : protozero::pbf_tag_type {
  kAttrName = 1,
  kF,
  kI,
  kS,
  kT,
  kG,
  kFloats,
  kInts,
  kStrings,
  kType = 20
};
enum TensorField : protozero::pbf_tag_type {
  kDims = 1,
  kDataType = 2,
  kTensorName = 8,
  kRawData = 9
};
}  // namespace field

enum AttributeType { kFloat = 1, kInt, kString, kTensor, kGraph, kFloats, kInts, kStrings };

constexpr int64_t kIrVersion = 8;

std::string NameOf(Value value) {
  return value ? value.node->name() + ":" + std::to_string(value.index) : "";
}

// 0, which is UNDEFINED, for dtypes that ONNX does not have.
int32_t OnnxNumber(DataType dtype) {
  constexpr int32_t kMost = 64;
  for (int32_t number = 1; number < kMost; ++number) {
    if (onnx::DataTypeOf(number) == dtype) return number;
  }
  return 0;
}

// Attributes of one node.
class Attributes {
 public:
  explicit Attributes(pbf_writer& node) : node_(node) {}

  void Add(const std::string& name, const Attr& value) {
    pbf_writer attr(node_, field::kAttribute);
    attr.add_string(field::kAttrName, name);
    attr.add_enum(field::kType, std::visit([&](const auto& v) { return Put(attr, v); }, value));
  }

  void AddDesc(const std::string& side, const std::string& index, const TensorDesc& desc) {
    const std::string dtype(GeName(desc.dtype)), layout(FormatName(desc.format));
    const std::vector<int64_t> dims(desc.shape.dims().begin(), desc.shape.dims().end());
    for (const char* origin : {"", "origin_"}) {
      const std::string prefix = side + "_desc_" + origin;
      Add(prefix + "dtype:" + index, dtype);
      Add(prefix + "shape:" + index, dims);
      Add(prefix + "layout:" + index, layout);
    }
  }

  void AddValue(const Node& constant) {
    pbf_writer attr(node_, field::kAttribute);
    attr.add_string(field::kAttrName, "value");
    {
      pbf_writer tensor(attr, field::kT);
      for (const int64_t dim : constant.output(0).shape.dims()) tensor.add_int64(field::kDims, dim);
      tensor.add_int32(field::kDataType, OnnxNumber(constant.value_dtype()));
      tensor.add_string(field::kTensorName, constant.name());
      std::string bytes(constant.value().size(), '\0');
      constant.value().Read(0, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()});
      tensor.add_bytes(field::kRawData, bytes);
    }
    attr.add_enum(field::kType, kTensor);
  }

  void AddGraph(const std::string& name, const std::string& graph) {
    pbf_writer attr(node_, field::kAttribute);
    attr.add_string(field::kAttrName, name);
    attr.add_message(field::kG, graph);
    attr.add_enum(field::kType, kGraph);
  }

 private:
  static AttributeType Put(pbf_writer& attr, bool value) {
    return Put(attr, static_cast<int64_t>(value));
  }
  static AttributeType Put(pbf_writer& attr, int64_t value) {
    attr.add_int64(field::kI, value);
    return kInt;
  }
  static AttributeType Put(pbf_writer& attr, float value) {
    attr.add_float(field::kF, value);
    return kFloat;
  }
  static AttributeType Put(pbf_writer& attr, const std::string& value) {
    attr.add_bytes(field::kS, value);
    return kString;
  }
  static AttributeType Put(pbf_writer& attr, DataType value) {
    return Put(attr, static_cast<int64_t>(value));
  }
  static AttributeType Put(pbf_writer& attr, const std::vector<bool>& values) {
    for (const bool value : values) attr.add_int64(field::kInts, value ? 1 : 0);
    return kInts;
  }
  static AttributeType Put(pbf_writer& attr, const std::vector<int64_t>& values) {
    for (const int64_t value : values) attr.add_int64(field::kInts, value);
    return kInts;
  }
  static AttributeType Put(pbf_writer& attr, const std::vector<float>& values) {
    for (const float value : values) attr.add_float(field::kFloats, value);
    return kFloats;
  }
  static AttributeType Put(pbf_writer& attr, const std::vector<std::string>& values) {
    for (const std::string& value : values) attr.add_bytes(field::kStrings, value);
    return kStrings;
  }
  // ONNX has no lists of lists: each becomes a text.
  static AttributeType Put(pbf_writer& attr, const std::vector<std::vector<int64_t>>& values) {
    for (const std::vector<int64_t>& value : values) {
      attr.add_bytes(field::kStrings, Shape(value).ToString());
    }
    return kStrings;
  }

  pbf_writer& node_;
};

std::string GraphForm(const Graph& graph, DumpRequest::Detail detail);

void AddNode(pbf_writer& graph, const Node& node, DumpRequest::Detail detail) {
  pbf_writer message(graph, field::kNode);
  for (size_t i = 0; i < node.input_count(); ++i) {
    message.add_string(field::kInput, NameOf(node.input(i)));
  }
  for (size_t i = 0; i < node.output_count(); ++i) {
    message.add_string(field::kOutput, node.name() + ":" + std::to_string(i));
  }
  message.add_string(field::kName, node.name());
  message.add_string(field::kOpType, "ge:" + node.type());
  Attributes attrs(message);
  for (size_t i = 0; i < node.subgraphs().size(); ++i) {
    attrs.AddGraph("subgraph:" + std::to_string(i), GraphForm(*node.subgraphs()[i], detail));
  }
  if (detail == DumpRequest::Detail::kStructure) return;
  for (const auto& [name, value] : node.attrs()) attrs.Add(name, value);
  attrs.Add("_datadump_original_op_names", node.source_names());
  attrs.Add("input_desc_nums", static_cast<int64_t>(node.input_count()));
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (node.input(i)) attrs.AddDesc("input", std::to_string(i), node.input(i).desc());
  }
  attrs.Add("output_desc_nums", static_cast<int64_t>(node.output_count()));
  for (size_t i = 0; i < node.output_count(); ++i) {
    attrs.AddDesc("output", std::to_string(i), node.output(i));
  }
  if (node.is_const() && detail == DumpRequest::Detail::kFull) attrs.AddValue(node);
}

std::string GraphForm(const Graph& graph, DumpRequest::Detail detail) {
  std::string bytes;
  pbf_writer message(bytes);
  for (const auto& node : graph.nodes()) AddNode(message, *node, detail);
  message.add_string(field::kGraphName, graph.name());
  return bytes;
}

}  // namespace

std::string OnnxForm(const Graph& graph, DumpRequest::Detail detail) {
  std::string bytes;
  pbf_writer message(bytes);
  message.add_int64(field::kIrVersion, kIrVersion);
  message.add_string(field::kProducer, "pyatc");
  message.add_string(field::kProducerVersion, GE_VERSION);
  message.add_message(field::kGraph, GraphForm(graph, detail));
  return bytes;
}

}  // namespace ge
