#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ops/op_impl.h"

namespace ge {

// The axes that a term of an equation names.
struct EinsumTerm {
  std::string letters;             // without the ellipsis
  std::optional<size_t> ellipsis;  // number of letters before it
};

struct EinsumEquation {
  std::vector<EinsumTerm> inputs;
  EinsumTerm output;
};

// Reads the attribute equation; there is one term per input.
Result<EinsumEquation> ParseEinsum(const InferContext& ctx);

}  // namespace ge
