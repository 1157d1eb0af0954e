#pragma once

#include <span>

#include "backend/host/program.h"

namespace ge::host {

// Turns convolutions of float32 that the library of heavy kernels runs into steps of kind kConv,
// together with the pointwise steps right behind them that it can do on the way: activations,
// numbers added or multiplied, another tensor added.  Only the last result is written then.
Status FuseConvolutions(Program& program, const std::vector<bool>& is_target);

// Runs such a step.  `tensors` are the inputs and outputs of the parts, part by part.  With
// `exactly`, which NaN and infinite inputs need, part by part.
Status RunConv(const Step& step, std::span<HostTensor> tensors, bool exactly);

}  // namespace ge::host
