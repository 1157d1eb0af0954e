#include "aclop/op_model.h"

#include "om/kernel_store.h"
#include "om/model_info.h"
#include "om/reader.h"

namespace ge::aclop {

Result<OpModel> ReadOpModel(std::span<const uint8_t> bytes, const std::string& path,
                            const std::shared_ptr<const MappedFile>& owner) {
  OpModel model;
  GE_ASSIGN(const om::OmFile om, om::ReadOm(bytes, path, "model"));
  GE_ASSIGN(const std::string_view model_def, om::FirstModelDef(om, path, "model"));
  const om::Block& block = om.blocks.front();
  const om::Partition* weights = block.Find(om::PartitionType::kWeightsData);
  const om::Partition* tasks = block.Find(om::PartitionType::kTaskInfo);
  GE_ASSIGN(
      model.graphs,
      om::ReadModelDef(model_def, weights == nullptr ? std::span<const uint8_t>() : weights->bytes,
                       owner));
  if (const om::Partition* kernels = block.Find(om::PartitionType::kTbeKernels)) {
    model.graphs.kernels = om::ReadKernelStore(kernels->bytes);
  }
  if (tasks == nullptr || model.graphs.root->net_output() == nullptr) {
    return Error(
        ErrorId::kE10041,
        {{"parameter", "model"}, {"value", path}, {"reason", "it has no tasks or no results"}});
  }
  GE_ASSIGN(model.tasks, ReadTaskInfo({reinterpret_cast<const char*>(tasks->bytes.data()),
                                       tasks->bytes.size()}));
  return model;
}

std::vector<size_t> DataInputsOf(const OpDefinition& definition) {
  std::vector<size_t> inputs;
  for (size_t i = 0; i < definition.inputs.size(); ++i) {
    const OpTensorDesc& desc = definition.inputs[i];
    if (!desc.is_absent() && !desc.is_const()) inputs.push_back(i);
  }
  return inputs;
}

bool Agree(const OpDefinition& definition, const std::vector<size_t>& data_inputs,
           const Graph& graph) {
  const std::vector<Node*> inputs = graph.InputNodes();
  if (inputs.size() != data_inputs.size() ||
      graph.net_output()->input_count() != definition.outputs.size()) {
    return false;
  }
  for (size_t i = 0; i < inputs.size(); ++i) {
    const OpTensorDesc& desc = definition.inputs[data_inputs[i]];
    if (inputs[i]->output_count() != 1 || inputs[i]->attrs().Get<int64_t>("index") == nullptr ||
        *inputs[i]->attrs().Get<int64_t>("index") != static_cast<int64_t>(i)) {
      return false;
    }
    const TensorDesc& tensor = inputs[i]->output(0);
    if (static_cast<int32_t>(tensor.dtype) != desc.dtype ||
        (tensor.shape.is_static() &&
         tensor.shape != Shape(std::span<const int64_t>(api::MemoryDims(desc))))) {
      return false;
    }
  }
  return true;
}

}  // namespace ge::aclop
