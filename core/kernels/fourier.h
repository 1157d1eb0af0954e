#pragma once

#include "kernels/kernel_context.h"

// Fourier transforms of complex numbers along the last axis, of any length; computed in float64.
namespace ge::kernels {

Status Fft(KernelContext& ctx);
Status Ifft(KernelContext& ctx);  // divides by the length

}  // namespace ge::kernels
