#pragma once

#include "backend/host/program.h"

namespace ge::host {

// Chooses for tensors between convolutions that their channels are last in memory, which is what
// the library of heavy kernels is fastest with; a tensor takes as many bytes in either order.
//
// A tensor changes its order when every step that touches it can do with that: convolutions, which
// convert where their x and y differ, and steps that give the same elements when their attributes
// and shapes are turned with the axes.  All large tensors of a step of the second kind have one
// order, so they change together or not at all.
void UseChannelsLast(Program& program);

}  // namespace ge::host
