#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace ge::kernels {

// Whether none of the elements is a NaN or infinite; true for integers.
bool AllFinite(DataType dtype, const void* data, int64_t elements);

}  // namespace ge::kernels
