#pragma once

#include "api/precision.h"
#include "options/findings.h"
#include "options/options.h"

namespace ge {

// What the flags about data types ask for.  The files of --modify_mixlist, --keep_dtype and
// --customize_dtypes are read; what is wrong in them goes to `faults`.
PrecisionRequest ReadPrecisionFlags(const Options& options, Status* faults);

// A word of --output_type; kUndefined when it is none, or when no data type here stands for it.
DataType OutputDtype(std::string_view word);

}  // namespace ge
