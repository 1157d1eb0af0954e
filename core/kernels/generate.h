#pragma once

#include <cstdint>
#include <optional>

#include "kernels/kernel_context.h"

namespace ge {

// Elements of start, start + delta, ... before limit; nullopt when delta is 0, a value is no
// finite number, or there are more than 2^62.
std::optional<int64_t> RangeCount(int64_t start, int64_t limit, int64_t delta);
std::optional<int64_t> RangeCount(double start, double limit, double delta);

namespace kernels {

Status Range(KernelContext& ctx);
Status ZerosLike(KernelContext& ctx);
Status OnesLike(KernelContext& ctx);
Status ShapeOf(KernelContext& ctx);
Status SizeOf(KernelContext& ctx);
Status OneHot(KernelContext& ctx);
Status Trilu(KernelContext& ctx);
Status NonZero(KernelContext& ctx);  // sizes output 0
Status Select(KernelContext& ctx);   // SelectV2

}  // namespace kernels
}  // namespace ge
