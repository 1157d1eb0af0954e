#pragma once

#include <string>
#include <vector>

#include "aclop/op_cache.h"
#include "api/single_ops.h"
#include "singleop/reader.h"

namespace ge::singleop {

// Models of earlier runs, in the folder that compiled operators are kept in.
class ModelCache {
 public:
  explicit ModelCache(const SingleOpsRequest& request);

  // Writes the model of `op` to `path`, if it is there.  `precision` is what counts for `op`.
  Result<bool> Take(const SingleOp& op, const PrecisionRequest& precision,
                    const std::string& path) const;
  // Keeps the model at `path`.  What fails is a warning.
  void Keep(const SingleOp& op, const PrecisionRequest& precision, const std::string& path,
            std::vector<Problem>* warnings);

 private:
  std::string KeyOf(const SingleOp& op, const PrecisionRequest& precision) const;

  const SingleOpsRequest& request_;
  const aclop::CacheSettings settings_;
  aclop::OpCache cache_;
};

}  // namespace ge::singleop
