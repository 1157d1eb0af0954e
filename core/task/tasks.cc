#include "task/tasks.h"

#include <cstring>
#include <protozero/pbf_writer.hpp>

#include "ir/recorded_kernel.h"
#include "om/ge_ir_fields.h"

namespace ge {
namespace {

using protozero::pbf_writer;
namespace field = om::field;

class TaskBuilder {
 public:
  explicit TaskBuilder(const ModelLayout& model)
      : model_(model), weight_address_(kArenaAddress + model.memory->arena_bytes) {}

  TaskList Build() {
    AddGraph(model_.graphs.front());
    AddTask(TaskType::kEndGraph, model_.graphs.front().graph->net_output()->name(),
            [](pbf_writer&) {});
    pbf_writer message(list_.bytes);
    message.add_uint64(field::kTaskMemory, model_.memory->arena_bytes);
    message.add_uint64(field::kTaskWeights, model_.weights.bytes);
    return std::move(list_);
  }

 private:
  uint64_t AddressOf(const GraphLayout& layout, Value value) const {
    if (!value) return kNoAddress;
    const uint32_t index = value.node->index();
    if (value.node->is_const()) return weight_address_ + layout.nodes[index].weight_offset;
    const int64_t offset = layout.plan->OffsetOf(value);
    return offset == kNoOffset ? kNoAddress : kArenaAddress + static_cast<uint64_t>(offset);
  }

  template <typename Fill>
  void AddTask(TaskType type, const std::string& op_name, Fill fill) {
    pbf_writer message(list_.bytes);
    pbf_writer task(message, field::kTask);
    if (!list_.op_names.empty()) {
      task.add_uint32(field::kTaskId, static_cast<uint32_t>(list_.op_names.size()));
    }
    if (type != TaskType::kKernel) task.add_uint32(field::kTaskType, static_cast<uint32_t>(type));
    fill(task);
    list_.op_names.push_back(op_name);
  }

  void AddGraph(const GraphLayout& layout) {
    for (const uint32_t index : layout.plan->order) {
      const Node& node = *layout.graph->nodes()[index];
      if (node.is_const() || node.type() == "Data" || node.type() == "NetOutput") continue;
      if (node.type() == "While") {
        AddWhile(layout, node);
      } else if (!node.subgraphs().empty()) {
        AddIf(layout, node);
      } else if (!layout.plan->IsView(node)) {
        AddKernel(layout, node);
      }
    }
  }

  void AddKernel(const GraphLayout& layout, const Node& node) {
    std::string args;
    const auto add_arg = [&](uint64_t address) {
      char bytes[sizeof(address)];
      std::memcpy(bytes, &address, sizeof(address));
      args.append(bytes, sizeof(bytes));
    };
    for (size_t i = 0; i < node.input_count(); ++i) add_arg(AddressOf(layout, node.input(i)));
    for (size_t i = 0; i < node.output_count(); ++i) {
      add_arg(AddressOf(layout, {const_cast<Node*>(&node), static_cast<int32_t>(i)}));
    }
    AddTask(TaskType::kKernel, node.name(), [&](pbf_writer& task) {
      pbf_writer kernel(task, field::kTaskKernel);
      {
        pbf_writer context(kernel, field::kKernelContext);
        context.add_uint32(field::kContextKernelType, kHostCpuKernel);
        context.add_uint32(field::kContextOpIndex, layout.nodes[node.index()].id);
        context.add_uint32(field::kContextArgsCount, static_cast<uint32_t>(args.size() / 8));
      }
      kernel.add_uint32(field::kKernelBlockDim, 1);
      kernel.add_uint32(field::kKernelArgsSize, static_cast<uint32_t>(args.size()));
      kernel.add_bytes(field::kKernelArgs, args);
      const std::string* recorded = KernelNameOf(node);
      kernel.add_string(field::kKernelName, recorded != nullptr ? *recorded : node.type());
    });
  }

  void AddIf(const GraphLayout& layout, const Node& node) {
    const uint32_t first_label = next_label_;
    next_label_ += 3;  // else, then, end
    const auto add_label = [&](TaskType type, uint32_t label) {
      AddLabel(layout, node, type, label);
    };
    AddSwitch(layout, node);
    for (const uint32_t branch : {1u, 0u}) {  // else is subgraph 1 and index 0
      const GraphLayout& inner = model_.LayoutOf(*node.subgraphs()[branch]);
      add_label(TaskType::kLabelSet, first_label + (branch == 1 ? 0 : 1));
      AddGraph(inner);
      for (size_t i = 0; i < node.output_count(); ++i) {
        AddCopy(layout, node, i, inner, inner.graph->net_output()->input(i));
      }
      add_label(TaskType::kLabelGoto, first_label + 2);
    }
    add_label(TaskType::kLabelSet, first_label + 2);
  }

  // The states are the outputs of the node: they begin as copies of its inputs.
  void AddWhile(const GraphLayout& layout, const Node& node) {
    const uint32_t head = next_label_, body_label = head + 1, end = head + 2;
    next_label_ += 3;
    for (size_t i = 0; i < node.output_count(); ++i)
      AddCopy(layout, node, i, layout, node.input(i));
    AddLabel(layout, node, TaskType::kLabelSet, head);
    AddGraph(model_.LayoutOf(*node.subgraphs()[0]));
    AddSwitch(layout, node);
    AddLabel(layout, node, TaskType::kLabelSet, body_label);
    const GraphLayout& body = model_.LayoutOf(*node.subgraphs()[1]);
    AddGraph(body);
    for (size_t i = 0; i < node.output_count(); ++i) {
      const Value result = body.graph->net_output()->input(i);
      const int64_t* state = result.node->type() == "Data"
                                 ? result.node->attrs().Get<int64_t>("_parent_node_index")
                                 : nullptr;
      if (state != nullptr && *state == static_cast<int64_t>(i)) continue;  // stays as it is
      AddCopy(layout, node, i, body, result);
    }
    AddLabel(layout, node, TaskType::kLabelGoto, head);
    AddLabel(layout, node, TaskType::kLabelSet, end);
  }

  void AddLabel(const GraphLayout& layout, const Node& node, TaskType type, uint32_t label) {
    const auto tag = type == TaskType::kLabelSet ? field::kTaskLabelSet : field::kTaskLabelGoto;
    AddTask(type, node.name(), [&](pbf_writer& task) {
      pbf_writer body(task, tag);
      body.add_uint32(field::kLabelOpIndex, layout.nodes[node.index()].id);
      body.add_uint32(field::kLabelId, label);
    });
  }

  void AddSwitch(const GraphLayout& layout, const Node& node) {
    AddTask(TaskType::kLabelSwitchByIndex, node.name(), [&](pbf_writer& task) {
      pbf_writer body(task, field::kTaskLabelSwitch);
      body.add_uint32(field::kLabelOpIndex, layout.nodes[node.index()].id);
      body.add_uint32(field::kLabelId, 2);  // label_max
    });
  }

  // `source` of `inner` to output i of a control-flow node.
  void AddCopy(const GraphLayout& layout, const Node& node, size_t i, const GraphLayout& inner,
               Value source) {
    const uint64_t bytes = static_cast<uint64_t>(BytesOf(source.desc()).value_or(0));
    AddTask(TaskType::kMemcpyAsync, node.name(), [&](pbf_writer& task) {
      pbf_writer body(task, field::kTaskMemcpy);
      body.add_uint64(field::kMemcpyDst,
                      AddressOf(layout, {const_cast<Node*>(&node), static_cast<int32_t>(i)}));
      body.add_uint64(field::kMemcpyDstMax, bytes);
      body.add_uint64(field::kMemcpySrc, AddressOf(inner, source));
      body.add_uint64(field::kMemcpyCount, bytes);
      body.add_uint32(field::kMemcpyOpIndex, layout.nodes[node.index()].id);
    });
  }

  const ModelLayout& model_;
  const uint64_t weight_address_;
  uint32_t next_label_ = 0;
  TaskList list_;
};

}  // namespace

TaskList BuildTasks(const ModelLayout& model) {
  return TaskBuilder(model).Build();
}

}  // namespace ge
