#pragma once

#include "kernels/kernel_context.h"

// Recurrent layers with the tensors of ONNX; core/ops/recurrent.cc tells their shapes.
namespace ge::kernels {

Status Lstm(KernelContext& ctx);  // CommonLSTM
Status Gru(KernelContext& ctx);   // CommonGRU
Status Rnn(KernelContext& ctx);   // CommonRNN

}  // namespace ge::kernels
