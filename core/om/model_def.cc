#include "om/model_def.h"

#include <protozero/pbf_writer.hpp>

#include "kernels/narrow.h"
#include "om/attr_writer.h"
#include "om/ge_ir_fields.h"
#include "ops/op_impl.h"

namespace ge::om {
namespace {

using protozero::pbf_writer;

constexpr int64_t kTensorAlign = 32;  // descriptors of computed tensors say 32 spare bytes

void AddString(pbf_writer& message, protozero::pbf_tag_type tag, std::string_view text) {
  message.add_string(tag, text.data(), text.size());
}

struct DescExtras {
  std::string_view name;
  bool exact_size = false;     // sizes of inputs and constants are exact
  int64_t weight_offset = -1;  // of a constant
  bool with_weight_size = false;
};

void WriteDesc(pbf_writer& parent, protozero::pbf_tag_type tag, const TensorDesc& desc,
               const DescExtras& extras) {
  pbf_writer message(parent, tag);
  if (!extras.name.empty()) AddString(message, field::kDescName, extras.name);
  message.add_enum(field::kDescDtype, ProtoNumber(desc.dtype));
  if (desc.shape.dims().empty()) {
    message.add_message(field::kDescShape, "", 0);  // a nested writer drops an empty message
  } else {
    pbf_writer shape(message, field::kDescShape);
    shape.add_packed_int64(field::kShapeDim, desc.shape.dims().begin(), desc.shape.dims().end());
  }
  AddString(message, field::kDescLayout, FormatName(desc.format));
  const std::optional<int64_t> bytes = BytesOf(desc);
  if (bytes) {
    const int64_t padded = (*bytes + kTensorAlign - 1) / kTensorAlign * kTensorAlign + kTensorAlign;
    message.add_int64(field::kDescSize, extras.exact_size ? *bytes : padded);
    if (extras.with_weight_size) message.add_int64(field::kDescWeightSize, *bytes);
    message.add_int64(field::kDescRealDimCnt, static_cast<int64_t>(desc.shape.rank()));
  }
  if (extras.weight_offset >= 0) message.add_int64(field::kDescDataOffset, extras.weight_offset);
}

// The bytes of a Const as the weights of the file have them.
std::string StoredBytes(const Node& node, bool clip) {
  std::vector<uint8_t> bytes(node.value().size());
  node.value().Read(0, bytes);
  const DataType from = node.value_dtype(), to = node.output(0).dtype;
  if (from == to) return {bytes.begin(), bytes.end()};
  const size_t elements = bytes.size() / static_cast<size_t>(RowOf(from).bits / 8);
  std::string converted(elements * static_cast<size_t>(RowOf(to).bits / 8), '\0');
  kernels::ConvertFloats(from, bytes.data(), to, reinterpret_cast<uint8_t*>(converted.data()),
                         static_cast<int64_t>(elements), clip);
  return converted;
}

// Attribute `value` of a Const: its descriptor, and where its bytes stand in the weights.
void WriteConstValue(pbf_writer& op, const Node& node, int64_t weight_offset, bool with_bytes,
                     bool clip) {
  pbf_writer entry(op, field::kOpAttr);
  AddString(entry, field::kEntryKey, "value");
  pbf_writer attr(entry, field::kEntryValue);
  pbf_writer tensor(attr, field::kAttrTensor);
  WriteDesc(tensor, field::kTensorDesc, node.output(0), {"", true, weight_offset, true});
  if (with_bytes) tensor.add_bytes(field::kTensorData, StoredBytes(node, clip));
}

class GraphWriter {
 public:
  GraphWriter(const GraphLayout& layout, const ModelFacts& facts)
      : layout_(layout), facts_(facts) {}

  void Write(pbf_writer& model) {
    pbf_writer graph(model, field::kModelGraph);
    AddString(graph, field::kGraphName, layout_.graph->name());
    for (const Node* input : layout_.graph->InputNodes()) {
      AddString(graph, field::kGraphInput, input->name() + ":0");
    }
    for (const uint32_t index : layout_.plan->order) WriteOp(graph, *layout_.graph->nodes()[index]);
  }

 private:
  int64_t OffsetOf(Value value) const {
    const uint32_t index = value.node->index();
    if (value.node->is_const()) return static_cast<int64_t>(layout_.nodes[index].weight_offset);
    return layout_.plan->OffsetOf(value);
  }

  void WriteOp(pbf_writer& graph, const Node& node) {
    const uint32_t index = node.index();
    pbf_writer op(graph, field::kGraphOp);
    AddString(op, field::kOpName, node.name());
    AddString(op, field::kOpType, node.type());
    WriteEdges(op, node);
    WriteAttrs(op, node);
    if (layout_.nodes[index].id != 0) op.add_int64(field::kOpId, layout_.nodes[index].id);
    if (node.type() == "NetOutput") WriteSources(op, node);
    WriteOffsets(op, node);
    const std::vector<std::string> input_names = ge::InputNames(node);
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (!input) {
        WriteDesc(op, field::kOpInputDesc, {DataType::kUndefined, Format::kReserved, Shape{}}, {});
        continue;
      }
      const bool is_const = input.node->is_const();
      WriteDesc(op, field::kOpInputDesc, input.desc(),
                {input_names[i], is_const, is_const ? OffsetOf(input) : -1});
    }
    const std::vector<std::string> output_names = ge::OutputNames(node);
    const bool exact = node.is_const() || node.type() == "Data";
    for (size_t i = 0; i < node.output_count(); ++i) {
      WriteDesc(op, field::kOpOutputDesc, node.output(i), {output_names[i], exact});
    }
    for (const auto& subgraph : node.subgraphs()) {
      AddString(op, field::kOpSubgraphName, subgraph->name());
    }
  }

  void WriteEdges(pbf_writer& op, const Node& node) {
    std::string packed_const;
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      const std::string edge =
          input ? input.node->name() + ":" + std::to_string(input.index) : std::string();
      AddString(op, field::kOpInput, edge);
      packed_const.push_back(input && input.node->is_const() ? 1 : 0);
    }
    if (!packed_const.empty()) op.add_bytes(field::kOpIsInputConst, packed_const);
  }

  void WriteAttrs(pbf_writer& op, const Node& node) {
    // Names of the map in order; the two that are not attributes of the node go in between.
    const std::vector<std::string> sources = node.source_names();
    bool names_written = sources.size() == 1 && sources[0] == node.name();
    const auto write_names = [&] {
      if (!names_written) WriteAttr(op, field::kOpAttr, "_datadump_original_op_names", sources);
      names_written = true;
    };
    for (const auto& [name, value] : node.attrs()) {
      if (name > "_datadump_original_op_names") write_names();
      WriteAttr(op, field::kOpAttr, name, value);
    }
    write_names();
    if (node.is_const()) {
      WriteConstValue(op, node, static_cast<int64_t>(layout_.nodes[node.index()].weight_offset),
                      facts_.inline_constants, facts_.clip_weights);
    }
  }

  void WriteSources(pbf_writer& op, const Node& node) {
    std::vector<int64_t> indices;
    for (size_t i = 0; i < node.input_count(); ++i) {
      AddString(op, field::kOpSrcName, node.input(i).node->name());
      indices.push_back(node.input(i).index);
    }
    op.add_packed_int64(field::kOpSrcIndex, indices.begin(), indices.end());
  }

  void WriteOffsets(pbf_writer& op, const Node& node) {
    std::vector<int64_t> inputs;
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (node.input(i)) inputs.push_back(OffsetOf(node.input(i)));
    }
    op.add_packed_int64(field::kOpInputOffset, inputs.begin(), inputs.end());
    if (!node.is_const()) {
      const std::span<const int64_t> outputs = layout_.plan->OffsetsOf(node);
      op.add_packed_int64(field::kOpOutputOffset, outputs.begin(), outputs.end());
    }
    if (node.subgraphs().empty()) return;
    const BranchPlan& branches = layout_.plan->branches.at(node.index());
    if (const int64_t bytes = branches.workspace_bytes; bytes != 0) {
      const int64_t offset = branches.workspace_offset;
      op.add_packed_int64(field::kOpWorkspace, &offset, &offset + 1);
      op.add_packed_int64(field::kOpWorkspaceBytes, &bytes, &bytes + 1);
    }
  }

  const GraphLayout& layout_;
  const ModelFacts& facts_;
};

}  // namespace

std::vector<std::string> OutputNames(const Graph& root) {
  std::vector<std::string> names;
  for (size_t i = 0; i < root.net_output()->input_count(); ++i) {
    const Value value = root.net_output()->input(i);
    names.push_back(value.node->source_name() + ":" + std::to_string(value.index) + ":" +
                    root.output_names()[i]);
  }
  return names;
}

std::string BuildModelDef(const ModelLayout& model, const TaskList& tasks,
                          const ModelFacts& facts) {
  const int64_t memory = static_cast<int64_t>(model.memory->arena_bytes);
  const int64_t weights = static_cast<int64_t>(model.weights.bytes);
  const int64_t base = static_cast<int64_t>(kArenaAddress);
  AttrMap attrs = facts.attrs;
  attrs.Set("_enable_l1_fusion", false);
  attrs.Set("atc_cmdline", facts.command_line);
  attrs.Set("atc_version", "pyatc " GE_VERSION);
  attrs.Set("attr_model_out_nodes_name", OutputNames(*model.graphs.front().graph));
  attrs.Set("core_type", int64_t{0});
  attrs.Set("event_num", int64_t{0});
  attrs.Set("framework_type", facts.framework);
  attrs.Set("label_num", int64_t{0});
  attrs.Set("memory_size", memory);
  attrs.Set("om_info_list",
            std::vector<int64_t>{weights, 0, 0, static_cast<int64_t>(tasks.bytes.size()), 0});
  attrs.Set("pyatc_engine", "host");
  std::vector<std::string> options;
  for (const auto& [name, value] : facts.recorded_options) options.push_back(name + "=" + value);
  attrs.Set("pyatc_recorded_options", std::move(options));
  attrs.Set("session_id", int64_t{0});
  attrs.Set("soc_version", facts.soc_version);
  attrs.Set("stream_num", int64_t{1});
  attrs.Set("target_type", "MINI");
  attrs.Set("task_gen_base_addr", base);
  attrs.Set("task_gen_weight_addr", base + memory);
  attrs.Set("task_index_op_name", tasks.op_names);
  attrs.Set("weight_size", weights);
  attrs.Set("zero_copy_memory_size", int64_t{0});

  std::string bytes;
  pbf_writer message(bytes);
  AddString(message, field::kModelName, facts.name);
  message.add_uint32(field::kModelVersion, kOmIrVersion);
  AddString(message, field::kModelCustomVersion, kPlatformVersion);
  for (const GraphLayout& layout : model.graphs) GraphWriter(layout, facts).Write(message);
  for (const auto& [name, value] : attrs) WriteAttr(message, field::kModelAttr, name, value);
  return bytes;
}

}  // namespace ge::om
