#pragma once

#include <memory>

#include "kernels/kernel_context.h"

// Recurrent layers with the tensors of ONNX; core/ops/recurrent.cc tells their shapes.
namespace ge::kernels {

Status Lstm(KernelContext& ctx);  // CommonLSTM
Status Gru(KernelContext& ctx);   // CommonGRU
Status Rnn(KernelContext& ctx);   // CommonRNN

// With constant weights packed.
Result<std::unique_ptr<const PreparedKernel>> PrepareLstm(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareGru(const KernelContext& ctx);
Result<std::unique_ptr<const PreparedKernel>> PrepareRnn(const KernelContext& ctx);

}  // namespace ge::kernels
