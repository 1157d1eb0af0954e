#include "aclop/compiled_op.h"

#include <algorithm>
#include <cstring>

#include "aclop/status.h"
#include "backend/host/in_memory.h"
#include "backend/host/threads.h"
#include "base/bools.h"
#include "base/parallel.h"
#include "hooks/operators.h"
#include "passes/pipeline.h"
#include "precision/lower.h"

namespace ge {
namespace {

constexpr size_t kKernelAlignment = alignof(std::max_align_t);

int Threads() {
  static const int threads = host::RunThreads(0, host::CpuCount());
  return threads;
}

bool Overlap(const OpBuffer& a, const OpBuffer& b) {
  const auto* const first = static_cast<const char*>(a.data);
  const auto* const second = static_cast<const char*>(b.data);
  return first < second + b.bytes && second < first + a.bytes;
}

}  // namespace

// One kernel between the inputs and outputs of the operator.
struct CompiledOp::Direct {
  static constexpr size_t kNoInput = SIZE_MAX;

  const host::Step* step = nullptr;
  std::vector<HostTensor> tensors;  // inputs, outputs; constants have data
  std::vector<size_t> inputs;       // per input of the kernel: that of the operator, or kNoInput
  std::vector<uint64_t> bytes;      // per tensor
};

struct CompiledOp::DirectRun {
  std::vector<HostTensor> tensors;
};

CompiledOp::CompiledOp() = default;

CompiledOp::~CompiledOp() {
  for (auto& run : idle_runs_) delete run.load();
}

Result<std::shared_ptr<const CompiledOp>> CompiledOp::Compile(
    aclop::OpGraph op, const PrecisionRequest& precision,
    const std::function<void(const ModelLayout&)>& see_layout, hooks::Operators* operators) {
  Progress progress;
  GE_TRY(RunPipeline(*op.graph, PassPhase::kInferShapes, PassPhase::kCleanUp, PassSwitches(),
                     {.progress = progress, .after_pass = {}}));
  GE_ASSIGN(
      [[maybe_unused]] const Lowered lowered,
      LowerPrecision(*op.graph, precision, progress, operators ? &operators->stores() : nullptr));
  if (operators != nullptr) GE_TRY(operators->BuildKernels(*op.graph));
  const ModelLayout layout = LayOut(*op.graph, PlanMemory(*op.graph, true, NodeOrder::kStable));
  if (see_layout) see_layout(layout);
  GE_ASSIGN(host::InMemoryModel model, host::ModelOf(std::move(op.graph), layout));
  const std::shared_ptr<CompiledOp> compiled =
      Make(std::move(model.graphs), std::move(model.tasks), std::move(op.data_inputs),
           std::move(model.task_bytes));
  if (operators != nullptr) compiled->TakeKernels(operators->TakeKernels());
  return std::shared_ptr<const CompiledOp>(compiled);
}

void CompiledOp::TakeKernels(std::vector<StoredKernel> kernels) {
  kernels_ = std::move(kernels);
  for (const StoredKernel& kernel : kernels_) graphs_.kernels.emplace(kernel.name, kernel.text);
}

std::shared_ptr<const CompiledOp> CompiledOp::Load(om::ReadGraphs graphs, ReadTasks tasks,
                                                   std::vector<size_t> data_inputs,
                                                   std::shared_ptr<const void> source) {
  return Make(std::move(graphs), std::move(tasks), std::move(data_inputs), std::move(source));
}

std::shared_ptr<CompiledOp> CompiledOp::Make(om::ReadGraphs graphs, ReadTasks tasks,
                                             std::vector<size_t> data_inputs,
                                             std::shared_ptr<const void> source) {
  const std::shared_ptr<CompiledOp> op(new CompiledOp());
  op->source_ = std::move(source);
  op->graphs_ = std::move(graphs);
  op->tasks_ = std::move(tasks);
  op->data_inputs_ = std::move(data_inputs);
  return op;
}

Status CompiledOp::BuildProgram() const {
  Result<host::Program> program = host::BuildProgram(graphs_, tasks_, tasks_.weight_bytes);
  if (!program.ok()) return program.status();
  program_ = std::move(*program);
  direct_ = FindDirect();
  return Status::Ok();
}

std::unique_ptr<const CompiledOp::Direct> CompiledOp::FindDirect() const {
  if (program_.steps.size() != 1) return nullptr;
  const host::Step& step = program_.steps.front();
  if (step.kind != host::Step::kKernel || step.dynamic || step.impl->run_host == nullptr) {
    return nullptr;
  }
  auto direct = std::make_unique<Direct>();
  direct->step = &step;
  for (size_t i = 0; i < step.inputs.size(); ++i) {
    const host::Operand& operand = step.inputs[i];
    HostTensor& tensor = direct->tensors.emplace_back();
    direct->inputs.push_back(Direct::kNoInput);
    if (operand.kind == host::Operand::kNone) continue;
    tensor = {operand.desc->dtype, operand.desc->shape, const_cast<void*>(operand.weight)};
    if (operand.kind == host::Operand::kWeights) continue;
    const Node* const data = step.node->input(i).node;
    const int64_t* index = data->attrs().Get<int64_t>("index");
    if (data->type() != "Data" || operand.channels_last || index == nullptr) return nullptr;
    direct->inputs.back() = data_inputs_[static_cast<size_t>(*index)];
  }
  const Node& results = *program_.results;
  if (results.input_count() != step.outputs.size()) return nullptr;
  for (size_t i = 0; i < step.outputs.size(); ++i) {
    const host::Operand& operand = step.outputs[i];
    const Value result = results.input(i);
    if (result.node != step.node || result.index != static_cast<int32_t>(i)) return nullptr;
    if (operand.channels_last) return nullptr;
    direct->tensors.push_back({operand.desc->dtype, operand.desc->shape, nullptr});
  }
  for (const HostTensor& tensor : direct->tensors) {
    const bool is_there = tensor.dtype != DataType::kUndefined;
    const std::optional<int64_t> bytes =
        is_there ? BytesOf(tensor.dtype, tensor.elements()) : std::optional<int64_t>(0);
    // Tensors without elements have no memory to hand on.
    if (!bytes || (is_there && *bytes == 0)) return nullptr;
    direct->bytes.push_back(static_cast<uint64_t>(*bytes));
  }
  return direct;
}

// Whether the kernel may work in the caller's memory.
bool CompiledOp::FitsDirect(const OpTask& task) const {
  const auto usable = [](const OpBuffer& buffer, uint64_t bytes) {
    return buffer.bytes >= bytes && buffer.data != nullptr &&
           reinterpret_cast<uintptr_t>(buffer.data) % kKernelAlignment == 0;
  };
  const size_t inputs = direct_->inputs.size();
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    if (!usable(*task.outputs[i], direct_->bytes[inputs + i])) return false;
  }
  const bool pointwise = direct_->step->impl->pointwise != Pointwise::kNo;
  for (size_t i = 0; i < inputs; ++i) {
    if (direct_->inputs[i] == Direct::kNoInput) continue;
    const OpBuffer& buffer = *task.inputs[direct_->inputs[i]];
    const HostTensor& tensor = direct_->tensors[i];
    if (!usable(buffer, direct_->bytes[i])) return false;
    if (tensor.dtype == DataType::kBool &&
        !AreBools({static_cast<const uint8_t*>(buffer.data), direct_->bytes[i]})) {
      return false;
    }
    for (size_t k = 0; k < task.outputs.size(); ++k) {
      if (!Overlap(buffer, *task.outputs[k])) continue;
      const bool in_place = pointwise && buffer.data == task.outputs[k]->data &&
                            tensor.shape == direct_->tensors[inputs + k].shape &&
                            direct_->bytes[i] == direct_->bytes[inputs + k];
      if (!in_place) return false;
    }
  }
  return true;
}

Status CompiledOp::RunDirect(const OpTask& task) const {
  DirectRun* run = nullptr;
  for (auto& idle : idle_runs_) {
    if (idle.load(std::memory_order_relaxed) == nullptr) continue;
    run = idle.exchange(nullptr, std::memory_order_acquire);
    if (run != nullptr) break;
  }
  if (run == nullptr) run = new DirectRun{direct_->tensors};
  const size_t inputs = direct_->inputs.size();
  for (size_t i = 0; i < inputs; ++i) {
    const size_t from = direct_->inputs[i];
    if (from != Direct::kNoInput) run->tensors[i].data = task.inputs[from]->data;
  }
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    run->tensors[inputs + i].data = task.outputs[i]->data;
  }
  const std::span<HostTensor> tensors(run->tensors);
  const host::Step& step = *direct_->step;
  const AttrReader attrs = step.attr_reader();
  KernelContext context{tensors.first(inputs), tensors.subspan(inputs), attrs};
  const ThreadScope threads(Threads());
  Status status =
      step.prepared != nullptr ? step.prepared->Run(context) : step.impl->run_host(context);
  for (auto& idle : idle_runs_) {
    DirectRun* none = nullptr;
    if (idle.load(std::memory_order_relaxed) == nullptr &&
        idle.compare_exchange_strong(none, run, std::memory_order_release)) {
      return status;
    }
  }
  delete run;
  return status;
}

Status CompiledOp::RunInstance(const OpTask& task, std::vector<Shape>* shapes) const {
  std::vector<HostTensor> inputs;
  std::vector<std::vector<uint8_t>> padded;  // of buffers that are short by a few bytes
  for (const size_t input : data_inputs_) {
    const OpTensorDesc& desc = *task.input_descs[input];
    HostTensor& tensor = inputs.emplace_back(HostTensor{
        static_cast<DataType>(desc.dtype), Shape(std::span<const int64_t>(api::MemoryDims(desc))),
        task.inputs[input]->data});
    const auto bytes = static_cast<size_t>(*BytesOf(tensor.dtype, tensor.elements()));
    if (task.inputs[input]->bytes >= bytes) continue;
    std::vector<uint8_t>& copy = padded.emplace_back(bytes);
    if (tensor.data != nullptr) std::memcpy(copy.data(), tensor.data, task.inputs[input]->bytes);
    tensor.data = copy.data();
  }
  std::unique_ptr<host::Instance> instance;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_instances_.empty()) {
      instance = std::move(idle_instances_.back());
      idle_instances_.pop_back();
    }
  }
  if (instance == nullptr) instance = std::make_unique<host::Instance>(program_);
  const ThreadScope threads(Threads());
  Status status = instance->Run(inputs, {});
  for (size_t i = 0; status.ok() && i < program_.outputs.size(); ++i) {
    const HostTensor result = instance->output(i);
    const auto bytes = static_cast<uint64_t>(*BytesOf(result.dtype, result.elements()));
    const OpBuffer& buffer = *task.outputs[i];
    if (!aclop::SizeFits(buffer.bytes, bytes)) {
      status = Error(ErrorId::kE10001, {{"value", std::to_string(buffer.bytes) + " bytes"},
                                        {"parameter", "output " + std::to_string(i)},
                                        {"reason", "the result " + result.shape.ToString() +
                                                       " has " + std::to_string(bytes)}});
      break;
    }
    const size_t copied = std::min<uint64_t>(bytes, buffer.data != nullptr ? buffer.bytes : 0);
    if (copied != 0) std::memcpy(buffer.data, result.data, copied);
    if (shapes != nullptr) shapes->push_back(result.shape);
  }
  instance->Clear();
  const std::lock_guard lock(mutex_);
  idle_instances_.push_back(std::move(instance));
  return status;
}

AclStatus CompiledOp::Run(const OpTask& task, std::vector<Shape>* shapes) const {
  std::call_once(built_, [this] { build_status_ = BuildProgram(); });
  if (!build_status_.ok()) return aclop::Fail(ACL_ERROR_GE_FAILURE, build_status_);
  Status status;
  if (direct_ != nullptr && FitsDirect(task)) {
    status = RunDirect(task);
    for (size_t i = 0; shapes != nullptr && i < task.outputs.size(); ++i) {
      shapes->push_back(direct_->tensors[direct_->inputs.size() + i].shape);
    }
  } else {
    status = RunInstance(task, shapes);
  }
  if (status.ok()) return {};
  if (status.id() == ErrorId::kE10001) return aclop::Fail(ACL_ERROR_GE_PARAM_INVALID, status);
  // No kernel for these data types, or data that the kernel cannot work with.
  return aclop::Fail(
      status.id() == ErrorId::kE10055 ? ACL_ERROR_GE_FAILURE : ACL_ERROR_RT_AICPU_EXCEPTION,
      status);
}

bool aclop::SizeFits(uint64_t given, uint64_t needed) {
  constexpr uint64_t kAlign = 32;
  return given >= needed || (given + 2 * kAlign - 1) / kAlign * kAlign >= needed;
}

}  // namespace ge
