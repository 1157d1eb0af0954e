#pragma once

#include <span>

#include "backend/host/program.h"

namespace ge::host {

// Turns 2-D convolutions into steps of kind kConv, together with the pointwise steps right behind
// them: for float32 those that the library of heavy kernels can do on the way (activations, numbers
// added or multiplied, another tensor added), for 16-bit floats any.  Only the last result is
// written then.
Status FuseConvolutions(Program& program, const std::vector<bool>& is_target);

// Runs such a step.  `tensors` are the inputs and outputs of the parts, part by part.  With
// `exactly`, which NaN and infinite inputs need, part by part.
Status RunConv(const Step& step, std::span<HostTensor> tensors, bool exactly);

}  // namespace ge::host
