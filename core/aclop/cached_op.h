#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "aclop/compiled_op.h"
#include "aclop/op_cache.h"

namespace ge::aclop {

struct CachedOp {
  std::shared_ptr<const CompiledOp> op;
  std::vector<Shape> inferred;  // per output
};

// nullopt unless the bytes are an operator of this definition.
std::optional<CachedOp> ReadCachedOp(CachedBytes bytes, const OpDefinition& definition);
// Appends the model that ReadCachedOp reads.
Status WriteCachedOp(AtomicFile& file, const ModelLayout& layout, const OpDefinition& definition,
                     std::string_view soc, const std::vector<Shape>& inferred);

}  // namespace ge::aclop
