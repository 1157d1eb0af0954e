#pragma once

#include <string>

#include "base/status.h"
#include "om/reader.h"

namespace ge::om {

// What --mode=6 prints of a file.  Fails (E10041) when it has no readable model definition.
Result<std::string> DescribeModel(const OmFile& file, std::string_view path,
                                  std::string_view parameter);

// MODEL_DEF of the first block, or E10041.
Result<std::string_view> FirstModelDef(const OmFile& file, std::string_view path,
                                       std::string_view parameter);

}  // namespace ge::om
