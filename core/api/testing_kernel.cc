#include "api/testing.h"
#include "backend/host/in_memory.h"
#include "backend/host/instance.h"
#include "hooks/kernel_graph.h"
#include "passes/pipeline.h"

namespace ge::api {

Status RunKernel(const std::string& kernel_text, const std::vector<TestTensor>& inputs,
                 std::vector<TestTensor>* outputs) {
  GE_ASSIGN(hooks::Kernel kernel, hooks::ReadKernel(kernel_text, "kernel"));
  std::vector<HostTensor> given;
  const std::vector<Node*> ports = kernel.graph->InputNodes();
  if (inputs.size() != ports.size()) {
    return Error(ErrorId::kE19999, {{"reason", "the kernel has other inputs"}});
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TensorDesc& desc = ports[i]->output(0);
    GE_ASSIGN(Shape shape, hooks::ShapeForKernel(desc.shape, Shape(inputs[i].shape), "kernel"));
    if (BytesOf({desc.dtype, Format::kND, shape}) != static_cast<int64_t>(inputs[i].bytes.size())) {
      return Error(ErrorId::kE19999,
                   {{"reason", "input " + std::to_string(i) + " has other bytes"}});
    }
    given.push_back({desc.dtype, std::move(shape), const_cast<char*>(inputs[i].bytes.data())});
  }
  Progress progress;
  GE_TRY(RunPipeline(*kernel.graph, PassPhase::kInferShapes, PassPhase::kAfterPrecision,
                     PassSwitches(), {nullptr, progress, {}}));
  const ModelLayout layout =
      LayOut(*kernel.graph, PlanMemory(*kernel.graph, true, NodeOrder::kStable));
  GE_ASSIGN(host::InMemoryModel model, host::ModelOf(std::move(kernel.graph), layout));
  GE_ASSIGN(const host::Program program,
            host::BuildProgram(model.graphs, model.tasks, model.tasks.weight_bytes));
  host::Instance instance(program);
  GE_TRY(instance.Run(given, {}));
  for (size_t i = 0; i < program.outputs.size(); ++i) {
    const HostTensor result = instance.output(i);
    const auto bytes = static_cast<size_t>(*BytesOf(result.dtype, result.elements()));
    outputs->push_back(
        {.dtype = std::string(UserName(result.dtype)),
         .shape = result.shape.ToVector(),
         .bytes = bytes == 0 ? "" : std::string(static_cast<const char*>(result.data), bytes)});
  }
  return Status::Ok();
}

}  // namespace ge::api
