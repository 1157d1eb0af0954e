#include "task/task_reader.h"

#include <cstring>
#include <map>
#include <protozero/pbf_reader.hpp>

#include "base/text.h"
#include "om/ge_ir_fields.h"

namespace ge {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;
namespace field = om::field;

std::string_view View(protozero::data_view view) {
  return {view.data(), view.size()};
}

void ReadKernelContext(pbf_reader reader, ReadTask& task) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag_and_type(field::kContextKernelType, pbf_wire_type::varint):
        task.kernel_type = reader.get_uint32();
        break;
      case tag_and_type(field::kContextOpIndex, pbf_wire_type::varint):
        task.op_index = reader.get_uint32();
        break;
      default:
        reader.skip();
    }
  }
}

void ReadKernel(pbf_reader reader, ReadTask& task) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag_and_type(field::kKernelContext, pbf_wire_type::length_delimited):
        ReadKernelContext(reader.get_message(), task);
        break;
      case tag_and_type(field::kKernelArgs, pbf_wire_type::length_delimited): {
        const std::string_view args = View(reader.get_view());
        task.args.resize(args.size() / sizeof(uint64_t));
        if (!task.args.empty()) {
          std::memcpy(task.args.data(), args.data(), task.args.size() * sizeof(uint64_t));
        }
        break;
      }
      case tag_and_type(field::kKernelName, pbf_wire_type::length_delimited):
        task.kernel_name = View(reader.get_view());
        break;
      default:
        reader.skip();
    }
  }
}

void ReadCopy(pbf_reader reader, ReadTask& task) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag_and_type(field::kMemcpyDst, pbf_wire_type::varint):
        task.dst = reader.get_uint64();
        break;
      case tag_and_type(field::kMemcpySrc, pbf_wire_type::varint):
        task.src = reader.get_uint64();
        break;
      case tag_and_type(field::kMemcpyCount, pbf_wire_type::varint):
        task.bytes = reader.get_uint64();
        break;
      case tag_and_type(field::kMemcpyOpIndex, pbf_wire_type::varint):
        task.op_index = reader.get_uint32();
        break;
      default:
        reader.skip();
    }
  }
}

void ReadLabel(pbf_reader reader, ReadTask& task) {
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag_and_type(field::kLabelOpIndex, pbf_wire_type::varint):
        task.op_index = reader.get_uint32();
        break;
      case tag_and_type(field::kLabelId, pbf_wire_type::varint):
        task.label = reader.get_uint32();
        break;
      default:
        reader.skip();
    }
  }
}

// op_index 0 is not written: the body of the task is there, so the node is number 0.
void Default(ReadTask& task) {
  if (task.op_index < 0) task.op_index = 0;
}

ReadTask ReadOne(pbf_reader reader) {
  ReadTask task;
  while (reader.next()) {
    switch (reader.tag_and_type()) {
      case tag_and_type(field::kTaskType, pbf_wire_type::varint):
        task.type = reader.get_uint32();
        break;
      case tag_and_type(field::kTaskKernel, pbf_wire_type::length_delimited):
        ReadKernel(reader.get_message(), task);
        Default(task);
        break;
      case tag_and_type(field::kTaskMemcpy, pbf_wire_type::length_delimited):
        ReadCopy(reader.get_message(), task);
        Default(task);
        break;
      case tag_and_type(field::kTaskLabelSet, pbf_wire_type::length_delimited):
      case tag_and_type(field::kTaskLabelGoto, pbf_wire_type::length_delimited):
      case tag_and_type(field::kTaskLabelSwitch, pbf_wire_type::length_delimited):
        ReadLabel(reader.get_message(), task);
        Default(task);
        break;
      default:
        reader.skip();
    }
  }
  return task;
}

// What a kernel runs on, by KernelContext.kernel_type; docs/om-format.md.
const char* EngineOf(uint32_t kernel_type) {
  switch (kernel_type) {
    case 0:
    case 2:
    case 4:
    case 11:
      return "AI core kernels";
    case 12:
      return "vector core kernels";
    case 1:
    case 5:
    case 6:
    case 7:
    case 10:
      return "AI CPU kernels";
    case kHostCpuKernel:
      return "host kernels of another maker";
    case 9:
      return "DVPP kernels";
    default:
      return "kernels of an unknown engine";
  }
}

std::string KindOf(const ReadTask& task) {
  switch (static_cast<TaskType>(task.type)) {
    case TaskType::kKernel:
      return EngineOf(task.kernel_type);
    case TaskType::kLabelSet:
    case TaskType::kLabelGoto:
    case TaskType::kLabelSwitchByIndex:
    case TaskType::kMemcpyAsync:
    case TaskType::kEndGraph:
      return "";
  }
  switch (task.type) {
    case 1:
    case 2:
    case 18:
      return "event tasks";
    case 5:
      return "AI CPU kernels";
    case 26:
    case 39:
    case 40:
      return "AI core kernels";
    case 28:
    case 29:
      return "FFTS tasks";
    case 7:
    case 8:
    case 20:
      return "stream tasks";
    case 6:
      return "collective communication tasks";
    default:
      return "tasks of type " + std::to_string(task.type);
  }
}

}  // namespace

Result<ReadTasks> ReadTaskInfo(std::string_view bytes) {
  ReadTasks list;
  try {
    for (pbf_reader reader(bytes.data(), bytes.size()); reader.next();) {
      switch (reader.tag_and_type()) {
        case tag_and_type(field::kTask, pbf_wire_type::length_delimited):
          list.tasks.push_back(ReadOne(reader.get_message()));
          break;
        case tag_and_type(field::kTaskMemory, pbf_wire_type::varint):
          list.arena_bytes = reader.get_uint64();
          break;
        case tag_and_type(field::kTaskWeights, pbf_wire_type::varint):
          list.weight_bytes = reader.get_uint64();
          break;
        default:
          reader.skip();
      }
    }
  } catch (const protozero::exception&) {
    return Error(ErrorId::kE10041,
                 {{"parameter", "--om"}, {"value", ""}, {"reason", "its task list is damaged"}});
  }
  return list;
}

std::string ForeignTasks(const ReadTasks& list) {
  std::map<std::string, size_t> counts;
  for (const ReadTask& task : list.tasks) {
    const bool ours =
        task.type == static_cast<uint32_t>(TaskType::kKernel) && task.kernel_type == kHostCpuKernel;
    const std::string kind = ours ? "" : KindOf(task);
    if (!kind.empty()) ++counts[kind];
  }
  std::vector<std::string> parts;
  for (const auto& [kind, count] : counts) parts.push_back(std::to_string(count) + " " + kind);
  return Join(parts, ", ");
}

}  // namespace ge
