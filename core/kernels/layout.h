#pragma once

#include "kernels/kernel_context.h"

// Kernels that move elements without looking at them.  Operators and their ports are described in
// core/ops; every element type of at least one byte is accepted.
namespace ge::kernels {

Status Transpose(KernelContext& ctx);
Status Expand(KernelContext& ctx);
Status Tile(KernelContext& ctx);
Status Fill(KernelContext& ctx);
Status ConcatD(KernelContext& ctx);
Status Split(KernelContext& ctx);
Status SplitV(KernelContext& ctx);
Status Reverse(KernelContext& ctx);  // ReverseV2
Status ReverseSequence(KernelContext& ctx);

}  // namespace ge::kernels
