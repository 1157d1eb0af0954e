#pragma once

#include <cstdint>

#include "base/dtype.h"

namespace ge::kernels {

// What a conversion could not keep.
struct NarrowLoss {
  uint64_t beyond = 0;    // finite, but larger than the largest finite number of the result
  uint64_t vanished = 0;  // became 0 without being 0
};

// Converts `count` elements between float32, float16 and bfloat16, rounding to nearest even; `from`
// may lie at any address.  With `clip`, finite numbers beyond the largest one become that number.
// Runs on ThreadCount() threads.
NarrowLoss ConvertFloats(DataType from_dtype, const void* from, DataType to_dtype, void* to,
                         int64_t count, bool clip);

// What ConvertFloats would lose.
NarrowLoss LossOf(DataType from_dtype, const void* from, DataType to_dtype, int64_t count);

}  // namespace ge::kernels
