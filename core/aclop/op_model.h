#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aclop/key.h"
#include "om/graph_reader.h"
#include "task/task_reader.h"

namespace ge::aclop {

// Graph and tasks of a single-operator model.
struct OpModel {
  om::ReadGraphs graphs;
  ReadTasks tasks;
};

// Constants and tasks are views into `bytes`; `owner` as for om::ReadModelDef.
Result<OpModel> ReadOpModel(std::span<const uint8_t> bytes, const std::string& path,
                            const std::shared_ptr<const MappedFile>& owner);

// The inputs that the graph has Data nodes for, in their order.
std::vector<size_t> DataInputsOf(const OpDefinition& definition);
// Whether the graph has the inputs and outputs of the definition.
bool Agree(const OpDefinition& definition, const std::vector<size_t>& data_inputs,
           const Graph& graph);

}  // namespace ge::aclop
