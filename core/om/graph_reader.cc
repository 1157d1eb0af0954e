#include "om/graph_reader.h"

#include <charconv>
#include <protozero/pbf_reader.hpp>

#include "om/attr_dictionary.h"
#include "om/attr_reader.h"
#include "om/attr_view.h"
#include "om/ge_ir_fields.h"

namespace ge::om {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr int kMaxGraphDepth = 64;

std::string_view View(protozero::data_view view) {
  return {view.data(), view.size()};
}

pbf_reader ReaderOf(std::string_view message) {
  return {message.data(), message.size()};
}

// Whether the field has this number and holds a message, text or bytes.
bool IsMessage(const pbf_reader& reader, uint32_t number) {
  return reader.tag() == number && reader.wire_type() == pbf_wire_type::length_delimited;
}

// An operator, taken apart before the graph is built.
struct OpView {
  std::string_view name, type;
  int64_t id = 0;
  std::vector<std::string_view> inputs, subgraphs;
  std::vector<std::string_view> output_descs;
  std::vector<int64_t> output_offsets;
  std::string_view bytes;
};

void AppendInts(pbf_reader& reader, std::vector<int64_t>& values) {
  if (reader.wire_type() == pbf_wire_type::varint) {
    values.push_back(reader.get_int64());
  } else {
    for (const int64_t value : reader.get_packed_int64()) values.push_back(value);
  }
}

OpView ReadOp(std::string_view bytes) {
  OpView op;
  op.bytes = bytes;
  for (pbf_reader reader = ReaderOf(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case tag_and_type(field::kOpName, pbf_wire_type::length_delimited):
        op.name = View(reader.get_view());
        break;
      case tag_and_type(field::kOpType, pbf_wire_type::length_delimited):
        op.type = View(reader.get_view());
        break;
      case tag_and_type(field::kOpInput, pbf_wire_type::length_delimited):
        op.inputs.push_back(View(reader.get_view()));
        break;
      case tag_and_type(field::kOpSubgraphName, pbf_wire_type::length_delimited):
        op.subgraphs.push_back(View(reader.get_view()));
        break;
      case tag_and_type(field::kOpOutputDesc, pbf_wire_type::length_delimited):
        op.output_descs.push_back(View(reader.get_view()));
        break;
      case tag_and_type(field::kOpId, pbf_wire_type::varint):
        op.id = reader.get_int64();
        break;
      case tag_and_type(field::kOpOutputOffset, pbf_wire_type::varint):
      case tag_and_type(field::kOpOutputOffset, pbf_wire_type::length_delimited):
        AppendInts(reader, op.output_offsets);
        break;
      default:
        reader.skip();
    }
  }
  return op;
}

struct DescView {
  TensorDesc desc;
  int64_t weight_offset = -1, weight_bytes = -1;
};

DescView ReadDesc(std::string_view bytes) {
  DescView read;
  std::vector<int64_t> dims;
  int64_t size = -1;
  for (pbf_reader reader = ReaderOf(bytes); reader.next();) {
    switch (reader.tag_and_type()) {
      case tag_and_type(field::kDescDtype, pbf_wire_type::varint):
        if (const DataTypeRow* row = FindDataTypeByProtoNumber(reader.get_enum())) {
          read.desc.dtype = row->dtype;
        }
        break;
      case tag_and_type(field::kDescShape, pbf_wire_type::length_delimited):
        for (pbf_reader shape = reader.get_message(); shape.next();) {
          switch (shape.tag_and_type()) {
            case tag_and_type(field::kShapeDim, pbf_wire_type::varint):
            case tag_and_type(field::kShapeDim, pbf_wire_type::length_delimited):
              AppendInts(shape, dims);
              break;
            default:
              shape.skip();
          }
        }
        break;
      case tag_and_type(field::kDescLayout, pbf_wire_type::length_delimited):
        read.desc.format = FindFormat(View(reader.get_view())).value_or(Format::kND);
        break;
      case tag_and_type(field::kDescSize, pbf_wire_type::varint):
        size = reader.get_int64();
        break;
      case tag_and_type(field::kDescWeightSize, pbf_wire_type::varint):
        read.weight_bytes = reader.get_int64();
        break;
      case tag_and_type(field::kDescDataOffset, pbf_wire_type::varint):
        read.weight_offset = reader.get_int64();
        break;
      default:
        reader.skip();
    }
  }
  if (read.weight_bytes < 0) read.weight_bytes = size;
  read.desc.shape = Shape(std::move(dims));
  return read;
}

class ModelReader {
 public:
  ModelReader(std::span<const uint8_t> weights, const std::shared_ptr<const MappedFile>& file)
      : weights_(weights), file_(file) {}

  Result<ReadGraphs> Read(std::string_view model_def) {
    for (pbf_reader reader = ReaderOf(model_def); reader.next();) {
      switch (reader.tag_and_type()) {
        case tag_and_type(field::kModelName, pbf_wire_type::length_delimited):
          read_.name = View(reader.get_view());
          break;
        case tag_and_type(field::kModelGraph, pbf_wire_type::length_delimited):
          AddGraphView(View(reader.get_view()));
          break;
        default:
          reader.skip();
      }
    }
    const AttrViews attrs = ReadAttrMap(model_def, kModelAttr);
    dictionary_ = AttrDictionary(attrs);
    for (const auto& [name, value] : attrs) {
      if (AttrDictionary::IsOwnAttr(name)) continue;
      if (std::optional<Attr> attr = ReadAttrValue(value)) read_.attrs.Set(name, std::move(*attr));
    }
    if (graphs_.empty()) return Damaged("it holds no graph");
    GE_ASSIGN(read_.root, Build(root_name_, 0));
    return std::move(read_);
  }

 private:
  struct GraphView {
    std::string_view bytes;
    bool used = false;
  };

  static Status Damaged(std::string reason) {
    return Error(ErrorId::kE10041,
                 {{"parameter", "--om"}, {"value", ""}, {"reason", std::move(reason)}});
  }

  void AddGraphView(std::string_view bytes) {
    std::string_view name;
    for (pbf_reader reader = ReaderOf(bytes); reader.next();) {
      if (IsMessage(reader, field::kGraphName)) {
        name = View(reader.get_view());
      } else {
        reader.skip();
      }
    }
    if (graphs_.empty()) root_name_ = name;
    graphs_.emplace(name, GraphView{bytes});
  }

  Result<std::unique_ptr<Graph>> Build(std::string_view name, int depth) {
    const auto found = graphs_.find(name);
    if (found == graphs_.end()) return Damaged("graph [" + std::string(name) + "] is not there");
    if (found->second.used || depth > kMaxGraphDepth) {
      return Damaged("graph [" + std::string(name) + "] is used twice");
    }
    found->second.used = true;
    std::vector<OpView> ops;
    for (pbf_reader reader = ReaderOf(found->second.bytes); reader.next();) {
      if (IsMessage(reader, field::kGraphOp)) {
        ops.push_back(ReadOp(View(reader.get_view())));
      } else {
        reader.skip();
      }
    }
    auto graph = std::make_unique<Graph>(std::string(name));
    graph->Reserve(ops.size());
    std::vector<Node*> nodes;
    std::unordered_map<std::string_view, Node*> by_name;
    for (const OpView& op : ops) {
      Node* node = graph->Add(op.type, op.name, {}, op.output_descs.size());
      nodes.push_back(node);
      by_name.emplace(op.name, node);
      read_.by_id.emplace(op.id, node);
      for (size_t i = 0; i < op.output_descs.size(); ++i) {
        node->output(i) = ReadDesc(op.output_descs[i]).desc;
      }
      if (!op.output_offsets.empty()) read_.offsets.emplace(node, op.output_offsets);
      ReadAttrs(op, *node);
    }
    for (size_t i = 0; i < ops.size(); ++i) {
      Node& node = *nodes[i];
      for (const std::string_view input : ops[i].inputs) GE_TRY(Connect(node, input, by_name));
      for (const std::string_view subgraph : ops[i].subgraphs) {
        GE_ASSIGN(std::unique_ptr<Graph> inner, Build(subgraph, depth + 1));
        node.AddSubgraph(std::move(inner));
      }
    }
    return graph;
  }

  // `edge` is "producer:output", "" for an input left out, "producer:-1" for order alone.
  static Status Connect(Node& node, std::string_view edge,
                        const std::unordered_map<std::string_view, Node*>& by_name) {
    if (edge.empty()) {
      node.AddInput({});
      return Status::Ok();
    }
    const size_t colon = edge.rfind(':');
    int32_t index = 0;
    if (colon != std::string_view::npos) {
      std::from_chars(edge.data() + colon + 1, edge.data() + edge.size(), index);
    }
    if (index == -1) return Status::Ok();
    const auto producer = by_name.find(edge.substr(0, colon));
    if (producer == by_name.end() || index < 0 ||
        static_cast<size_t>(index) >= producer->second->output_count()) {
      return Damaged("node [" + node.name() + "] reads [" + std::string(edge) +
                     "], which is not there");
    }
    node.AddInput(producer->second->out(index));
    return Status::Ok();
  }

  void ReadAttrs(const OpView& op, Node& node) {
    for (pbf_reader reader = ReaderOf(op.bytes); reader.next();) {
      if (!IsMessage(reader, field::kOpAttr)) {
        reader.skip();
        continue;
      }
      const std::string_view coded = View(reader.get_view());
      const std::optional<std::string> decoded =
          dictionary_.active() ? dictionary_.Decode(coded) : std::nullopt;
      const MapEntry entry = ReadMapEntry(decoded ? *decoded : coded);
      if (node.is_const() && entry.key == "value") {
        ReadValue(entry.value, node);
        continue;
      }
      std::optional<Attr> attr = ReadAttrValue(entry.value);
      if (!attr) continue;
      const auto* sources = std::get_if<std::vector<std::string>>(&*attr);
      if (entry.key == "_datadump_original_op_names" && sources != nullptr) {
        for (const std::string& source : *sources) node.AddSourceName(source);
      } else if (node.attrs().Find(entry.key) == nullptr || !decoded) {
        node.attrs().Set(entry.key, std::move(*attr));
      }
    }
  }

  // Attribute `value` of a Const: a tensor whose bytes stand in the weights.  If they are not there
  // as its desc says, the Const has none.
  void ReadValue(std::string_view attr_def, Node& node) {
    DescView desc;
    for (pbf_reader reader = ReaderOf(attr_def); reader.next();) {
      if (!IsMessage(reader, field::kAttrTensor)) {
        reader.skip();
        continue;
      }
      for (pbf_reader tensor = reader.get_message(); tensor.next();) {
        if (IsMessage(tensor, field::kTensorDesc)) {
          desc = ReadDesc(View(tensor.get_view()));
        } else {
          tensor.skip();
        }
      }
    }
    const std::optional<int64_t> bytes =
        node.output_count() == 1 ? ge::BytesOf(node.output(0)) : std::nullopt;
    if (desc.weight_offset < 0 || !bytes || desc.weight_bytes != *bytes ||
        static_cast<uint64_t>(desc.weight_offset) > weights_.size() ||
        static_cast<uint64_t>(*bytes) >
            weights_.size() - static_cast<uint64_t>(desc.weight_offset)) {
      return;
    }
    node.SetValue(Buffer::View(file_, weights_.subspan(static_cast<size_t>(desc.weight_offset),
                                                       static_cast<size_t>(*bytes))));
  }

  std::span<const uint8_t> weights_;
  const std::shared_ptr<const MappedFile>& file_;
  std::unordered_map<std::string_view, GraphView> graphs_;
  std::string_view root_name_;
  AttrDictionary dictionary_;
  ReadGraphs read_;
};

}  // namespace

Result<ReadGraphs> ReadModelDef(std::string_view model_def, std::span<const uint8_t> weights,
                                const std::shared_ptr<const MappedFile>& file) {
  try {
    return ModelReader(weights, file).Read(model_def);
  } catch (const protozero::exception&) {
    return Error(ErrorId::kE10041, {{"parameter", "--om"},
                                    {"value", file == nullptr ? "" : file->path()},
                                    {"reason", "its model definition is damaged"}});
  }
}

}  // namespace ge::om
