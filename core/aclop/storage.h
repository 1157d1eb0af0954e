#pragma once

#include "aclop/key.h"
#include "base/format.h"
#include "ir/graph.h"

// Tensors whose memory is in blocks, in the graph of an operator:
//
//   Data [blocks] -> TransData -> operator -> TransData [blocks] -> NetOutput
namespace ge::aclop {

// A format by its number; ND for one that has no name.
Format FormatOf(int32_t format);

// What is wrong with the storage format and dims of a tensor, or "".  `grouped`: the operator is a
// convolution of several groups, whose filters have blocks of another kind.
std::string StorageFault(const OpTensorDesc& desc, bool grouped);

// `type` TransData describes memory: its descriptions as those of one tensor that is stored in two
// ways.  A side that only has a format of blocks is a form of the other one.
OpDefinition AsStored(const OpDefinition& definition);

// Adds a TransData from the blocks in memory to the tensor (or the other way).
Result<Value> FromBlocks(Graph& graph, const std::string& name, Value blocks,
                         const OpTensorDesc& desc);
Result<Value> ToBlocks(Graph& graph, const std::string& name, Value tensor,
                       const OpTensorDesc& desc);

}  // namespace ge::aclop
