#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/recorded_kernel.h"

namespace ge::om {

// The TBE_KERNELS partition: records of name and binary, back to back.
std::string BuildKernelStore(const std::vector<StoredKernel>& kernels);
// By name; what follows a damaged record is left out.
std::unordered_map<std::string, std::string_view> ReadKernelStore(std::span<const uint8_t> bytes);

}  // namespace ge::om
