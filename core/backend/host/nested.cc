#include "backend/host/nested.h"

#include "backend/host/in_memory.h"
#include "hooks/kernel_graph.h"
#include "hooks/kernel_shapes.h"
#include "passes/pipeline.h"
#include "plan/plan.h"

namespace ge::host {

struct Nested::Parts {
  std::string name;                         // for messages
  std::vector<TensorDesc> inputs, outputs;  // as recorded
  InMemoryModel model;
  Program program;
};

Nested::Nested() : parts_(std::make_unique<Parts>()) {}
Nested::~Nested() = default;

Result<std::unique_ptr<const Nested>> Nested::Make(std::string_view text, const Node& node) {
  std::unique_ptr<Nested> nested(new Nested());
  Parts& parts = *nested->parts_;
  parts.name = node.source_name();
  GE_ASSIGN(hooks::Kernel kernel, hooks::ReadKernel(text, parts.name));
  GE_TRY(hooks::CheckKernel(*kernel.graph, node));
  for (const Node* input : kernel.graph->InputNodes()) parts.inputs.push_back(input->output(0));
  const Node& results = *kernel.graph->net_output();
  for (size_t i = 0; i < results.input_count(); ++i) {
    parts.outputs.push_back(results.input(i).desc());
  }
  Progress progress;
  GE_TRY(RunPipeline(*kernel.graph, PassPhase::kInferShapes, PassPhase::kAfterPrecision,
                     PassSwitches(), {.progress = progress, .after_pass = {}}));
  const ModelLayout layout =
      LayOut(*kernel.graph, PlanMemory(*kernel.graph, true, NodeOrder::kStable));
  GE_ASSIGN(parts.model, ModelOf(std::move(kernel.graph), layout));
  GE_ASSIGN(parts.program,
            BuildProgram(parts.model.graphs, parts.model.tasks, parts.model.tasks.weight_bytes));
  return std::unique_ptr<const Nested>(std::move(nested));
}

Result<Nested::Results> Nested::Run(std::span<const HostTensor> inputs,
                                    const RunControl& control) const {
  std::unique_ptr<Instance> instance;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      instance = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (instance == nullptr) instance = std::make_unique<Instance>(parts_->program);
  std::vector<HostTensor> given(inputs.begin(), inputs.end());
  std::vector<Shape> shapes;
  for (size_t i = 0; i < given.size(); ++i) {
    shapes.push_back(given[i].shape);
    GE_ASSIGN(given[i].shape,
              hooks::ShapeForKernel(parts_->inputs[i].shape, given[i].shape, parts_->name));
    given[i].dtype = parts_->inputs[i].dtype;
  }
  RunControl inner;
  inner.cancelled = control.cancelled;
  inner.poison = control.poison;
  GE_TRY(instance->Run(given, inner));
  std::vector<Shape> results;
  for (size_t i = 0; i < parts_->outputs.size(); ++i) {
    results.push_back(hooks::ResultShape(parts_->inputs, shapes, parts_->outputs[i].shape,
                                         instance->output(i).shape));
  }
  return Results(*this, std::move(instance), std::move(results));
}

Nested::Results::~Results() {
  if (instance_ == nullptr) return;
  const std::lock_guard lock(owner_->mutex_);
  owner_->idle_.push_back(std::move(instance_));
}

HostTensor Nested::Results::output(size_t i) const {
  HostTensor tensor = instance_->output(i);
  tensor.shape = shapes_[i];
  return tensor;
}

}  // namespace ge::host
