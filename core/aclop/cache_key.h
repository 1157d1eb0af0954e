#pragma once

#include <string>

#include "aclop/key.h"
#include "aclop/options.h"

namespace ge::aclop {

// Everything that decides what an operator is compiled to, as bytes: this version, the SoC, the
// options, whether it is for all sizes, and the definition with all values bit for bit.
std::string CacheKeyOf(const OpDefinition& definition, std::string_view soc,
                       const CompileOptions& options, bool generalize);

}  // namespace ge::aclop
