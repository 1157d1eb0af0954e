#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "aclop/op_graph.h"
#include "api/passes.h"
#include "api/precision.h"
#include "om/model_def.h"

namespace ge::aclop {

// How the model of an operator is made from its graph.
struct OpModelOptions {
  om::ModelFacts facts;
  PassSwitches passes;
  PrecisionRequest precision;
  hooks::Operators* operators = nullptr;  // of the user, in Python; may be null
  const std::atomic<bool>* cancelled = nullptr;
  std::vector<Problem>* warnings = nullptr;  // of data types; null: nobody asks
};

// Writes the single-operator model of `definition`, whose graph was built from it.
Status WriteModelOf(const OpDefinition& definition, Graph& graph, OpModelOptions options,
                    const std::string& path);

}  // namespace ge::aclop
