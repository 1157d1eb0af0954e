#include "backend/host/model.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "backend/host/release_activations.h"
#include "backend/host/threads.h"
#include "base/parallel.h"
#include "base/suggest.h"
#include "base/text.h"
#include "kernels/heavy_library.h"
#include "om/inout_info.h"
#include "om/kernel_store.h"
#include "om/model_info.h"
#include "om/reader.h"
#include "task/task_reader.h"

namespace ge {
namespace {

constexpr std::string_view kParameter = "om";

// `status` with the path of the file in place of an empty value.
Status WithPath(const Status& status, const std::string& path) {
  Status named;
  for (Problem problem : status.problems()) {
    const size_t at = problem.message.find("model []");
    if (at != std::string::npos) problem.message.insert(at + std::strlen("model ["), path);
    named.Add(Status(std::move(problem)));
  }
  return named;
}

std::string TextAttr(const AttrMap& attrs, std::string_view name) {
  const std::string* text = attrs.Get<std::string>(name);
  return text == nullptr ? std::string() : *text;
}

// Name of an output in the source model, out of "node:index:tensor".
std::string TensorName(const std::string& stated, Value value) {
  const std::string prefix = value.node->source_name() + ":" + std::to_string(value.index) + ":";
  return stated.starts_with(prefix) ? stated.substr(prefix.size()) : stated;
}

std::vector<ModelPort> InputPorts(const Graph& root) {
  std::vector<ModelPort> ports;
  for (const Node* node : root.InputNodes()) {
    ModelPort& port = ports.emplace_back();
    port.name = node->name();
    if (node->output_count() == 0) continue;
    port.dtype = node->output(0).dtype;
    port.shape = node->output(0).shape;
  }
  return ports;
}

std::vector<ModelPort> OutputPorts(const om::ReadGraphs& graphs) {
  std::vector<ModelPort> ports;
  const Node* results = graphs.root->net_output();
  if (results == nullptr) return ports;
  const auto* names = graphs.attrs.Get<std::vector<std::string>>("attr_model_out_nodes_name");
  for (size_t i = 0; i < results->input_count(); ++i) {
    ModelPort& port = ports.emplace_back();
    const Value value = results->input(i);
    if (!value) continue;
    port.dtype = value.desc().dtype;
    port.shape = value.desc().shape;
    const bool named = names != nullptr && i < names->size();
    port.name = named ? TensorName((*names)[i], value)
                      : value.node->name() + ":" + std::to_string(value.index);
  }
  return ports;
}

void SetRanges(const std::vector<om::TensorInfo>& infos, std::vector<ModelPort>& ports) {
  for (size_t i = 0; i < std::min(infos.size(), ports.size()); ++i) {
    ModelPort& port = ports[i];
    if (port.shape.is_static() || port.shape.unknown_rank()) continue;
    port.range = infos[i].range;
    if (port.range.size() == port.shape.rank()) continue;
    port.range.clear();
    for (const int64_t dim : port.shape.dims()) {
      port.range.emplace_back(dim < 0 ? 0 : dim, dim < 0 ? -1 : dim);
    }
  }
}

std::string DescText(DataType dtype, const Shape& shape) {
  return std::string(UserName(dtype)) + " " + shape.ToString();
}

// Whether an array of shape `given` may be fed where the model has `wanted`.
bool Fits(const Shape& given, const ModelPort& port) {
  if (port.shape.unknown_rank()) return true;
  if (given.rank() != port.shape.rank()) return false;
  for (size_t i = 0; i < given.rank(); ++i) {
    if (port.shape[i] >= 0) {
      if (given[i] != port.shape[i]) return false;
    } else if (i < port.range.size()) {
      const auto [least, most] = port.range[i];
      if (given[i] < least || (most >= 0 && given[i] > most)) return false;
    }
  }
  return true;
}

}  // namespace

Result<std::shared_ptr<const Model>> Model::Open(const std::string& path) {
  std::shared_ptr<Model> model(new Model());
  model->cpus_ = host::CpuCount();
  GE_ASSIGN(model->file_, MappedFile::Open(path));
  GE_ASSIGN(const om::OmFile om, om::ReadOm(model->file_->bytes(), path, kParameter));
  GE_ASSIGN(const std::string_view model_def, om::FirstModelDef(om, path, kParameter));
  const om::Block& block = om.blocks.front();
  const om::Partition* weights = block.Find(om::PartitionType::kWeightsData);
  const std::span<const uint8_t> weight_bytes =
      weights == nullptr ? std::span<const uint8_t>() : weights->bytes;
  Result<om::ReadGraphs> graphs = om::ReadModelDef(model_def, weight_bytes, model->file_);
  if (!graphs.ok()) return WithPath(graphs.status(), path);
  model->graphs_ = std::move(*graphs);
  if (const om::Partition* kernels = block.Find(om::PartitionType::kTbeKernels)) {
    model->graphs_.kernels = om::ReadKernelStore(kernels->bytes);
  }

  ModelFactsRead& facts = model->facts_;
  const AttrMap& attrs = model->graphs_.attrs;
  facts.path = path;
  facts.name = model->graphs_.name;
  facts.soc_version = TextAttr(attrs, "soc_version");
  facts.version = TextAttr(attrs, "atc_version");
  facts.framework = TextAttr(attrs, "framework_type");
  facts.command_line = TextAttr(attrs, "atc_cmdline");
  facts.file_bytes = model->file_->bytes().size();
  facts.weight_bytes = weight_bytes.size();
  facts.inputs = InputPorts(*model->graphs_.root);
  facts.outputs = OutputPorts(model->graphs_);
  if (const std::optional<om::InoutInfo> info = om::FindInoutInfo(om)) {
    SetRanges(info->inputs, facts.inputs);
    SetRanges(info->outputs, facts.outputs);
  }
  for (const ModelPort& port : facts.outputs) facts.has_unknown_sizes |= !port.shape.is_static();

  if (TextAttr(attrs, "pyatc_engine") != "host") {
    facts.not_runnable_reason = "it was made for an NPU";
  }
  const om::Partition* task_info = block.Find(om::PartitionType::kTaskInfo);
  if (task_info == nullptr) {
    facts.not_runnable_reason +=
        std::string(facts.not_runnable_reason.empty() ? "" : ", ") + "it has no task list";
    return std::shared_ptr<const Model>(std::move(model));
  }
  Result<ReadTasks> tasks = ReadTaskInfo(
      {reinterpret_cast<const char*>(task_info->bytes.data()), task_info->bytes.size()});
  if (!tasks.ok()) {
    // Phones have tasks of their own kind.
    if (facts.not_runnable_reason.empty()) return WithPath(tasks.status(), path);
    return std::shared_ptr<const Model>(std::move(model));
  }
  facts.arena_bytes = tasks->arena_bytes;
  if (const std::string foreign = ForeignTasks(*tasks); !foreign.empty()) {
    facts.not_runnable_reason +=
        std::string(facts.not_runnable_reason.empty() ? "" : "; ") + "it holds " + foreign;
  }
  if (!facts.not_runnable_reason.empty()) return std::shared_ptr<const Model>(std::move(model));
  if (host::HoldsActivations(*model->graphs_.root)) {
    model->model_def_ = model_def;
    model->weight_bytes_ = weight_bytes;
    const Status released = host::ReleaseActivations(model->graphs_, *tasks);
    if (!released.ok()) return WithPath(released, path);
  }
  Result<host::Program> program = host::BuildProgram(model->graphs_, *tasks, facts.weight_bytes);
  if (program.status().id() == ErrorId::kE10055) {  // a kernel is missing: still to be looked at
    facts.not_runnable_reason = program.status().problems().front().message;
    if (facts.not_runnable_reason.ends_with('.')) facts.not_runnable_reason.pop_back();
    return std::shared_ptr<const Model>(std::move(model));
  }
  if (!program.ok()) return WithPath(program.status(), path);
  facts.runnable = true;
  model->program_ = std::move(*program);
  facts.packed_bytes = model->program_.packed_bytes;
  facts.has_unknown_sizes |= model->program_.slots != 0;
  const auto wants_library = [](const host::Step& step) { return step.prepared != nullptr; };
  const std::vector<host::Step>& steps = model->program_.steps;
  if (std::any_of(steps.begin(), steps.end(), wants_library) && HeavyLibrary() == nullptr) {
    facts.slow_reason = HeavyLibraryNote();
  }
  return std::shared_ptr<const Model>(std::move(model));
}

const om::ReadGraphs& Model::graphs() const {
  if (model_def_.empty()) return graphs_;
  std::call_once(read_again_, [this] {
    held_ = std::move(*om::ReadModelDef(model_def_, weight_bytes_, file_));  // went well before
  });
  return held_;
}

// The arrays in the order of the model's inputs, or everything that is wrong with them.
Result<std::vector<HostTensor>> Model::Arrange(std::span<const InputArray> inputs) const {
  Status status;
  std::vector<const InputArray*> chosen(facts_.inputs.size());
  std::vector<std::string_view> names;
  for (const ModelPort& port : facts_.inputs) names.push_back(port.name);
  const std::string known = Join(std::vector<std::string>(names.begin(), names.end()), ", ");
  const auto fail = [&](const std::string& value, const std::string& input, std::string reason) {
    status.Add(Error(ErrorId::kE10001,
                     {{"value", value}, {"parameter", input}, {"reason", std::move(reason)}}));
  };
  size_t position = 0;
  for (const InputArray& array : inputs) {
    size_t port = position++;
    if (!array.name.empty()) {
      port = static_cast<size_t>(std::find(names.begin(), names.end(), array.name) - names.begin());
      if (port == names.size()) {
        fail(array.name, "inputs", "the model has no input of this name; its inputs are " + known);
        continue;
      }
    } else if (port >= names.size()) {
      continue;  // counted below
    }
    if (chosen[port] != nullptr) {
      fail(array.name, "inputs", "the input is given twice");
      continue;
    }
    chosen[port] = &array;
  }
  if (inputs.size() > names.size() && status.ok()) {
    fail(std::to_string(inputs.size()) + " arrays", "inputs",
         "the model takes " + std::to_string(names.size()) + ": " + known);
  }
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < chosen.size(); ++i) {
    const ModelPort& port = facts_.inputs[i];
    const std::string wanted = DescText(port.dtype, port.shape);
    if (chosen[i] == nullptr) {
      fail("", "inputs", "input " + port.name + " (" + wanted + ") is missing");
      continue;
    }
    const InputArray& array = *chosen[i];
    if (array.dtype != port.dtype || !array.shape.is_static() || !Fits(array.shape, port)) {
      std::string limits;
      for (const auto& [least, most] : port.range) {
        limits += (limits.empty() ? " with sizes " : ", ") + std::to_string(least) +
                  (least == most ? "" : "~" + (most < 0 ? "any" : std::to_string(most)));
      }
      fail(DescText(array.dtype, array.shape), port.name, wanted + limits + " is accepted");
      continue;
    }
    tensors.push_back({array.dtype, array.shape, const_cast<void*>(array.data)});
  }
  if (!status.ok()) return status;
  return tensors;
}

Status Model::Run(std::span<const InputArray> inputs, const RunOptions& options,
                  std::vector<OutputArray>* outputs) const {
  if (!facts_.runnable) {
    return Error(ErrorId::kE10055,
                 {{"reason", "The model [" + facts_.path +
                                 "] cannot run on the CPU: " + facts_.not_runnable_reason + "."}});
  }
  GE_ASSIGN(const std::vector<HostTensor> tensors, Arrange(inputs));
  std::unique_ptr<host::Instance> instance;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      instance = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (instance == nullptr) instance = std::make_unique<host::Instance>(program_);
  std::vector<int64_t> nanoseconds(options.profile != nullptr ? program_.steps.size() : 0);
  std::vector<int64_t> calls(nanoseconds.size());
  host::RunControl control{.cancelled = options.cancelled, .poison = options.poison};
  if (options.profile != nullptr) {
    control.nanoseconds = &nanoseconds;
    control.calls = &calls;
  }
  const ThreadScope threads(host::RunThreads(options.threads, cpus_));
  Status status = instance->Run(tensors, control);
  if (status.ok()) {
    outputs->clear();
    for (size_t i = 0; i < program_.outputs.size(); ++i) {
      const HostTensor result = instance->output(i);
      OutputArray& array = outputs->emplace_back();
      array.dtype = result.dtype;
      array.shape = result.shape;
      array.bytes = static_cast<uint64_t>(*BytesOf(result.dtype, result.elements()));
      array.data = std::make_unique_for_overwrite<uint8_t[]>(array.bytes + 1);
      if (array.bytes != 0) std::memcpy(array.data.get(), result.data, array.bytes);
    }
  }
  if (options.profile != nullptr) {
    options.profile->clear();
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      const host::Step& step = program_.steps[i];
      if (calls[i] == 0) continue;
      if (step.kind == host::Step::kKernel) {
        options.profile->push_back(
            {step.node->name(), step.node->type(), calls[i], nanoseconds[i]});
      } else if (!step.parts.empty()) {
        std::vector<std::string> names, types;
        for (const host::Step& part : step.parts) {
          names.push_back(part.node->name());
          types.push_back(part.node->type());
        }
        options.profile->push_back({Join(names, "+"), Join(types, "+"), calls[i], nanoseconds[i]});
      }
    }
  }
  instance->Clear();
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(instance));
  return status;
}

}  // namespace ge
