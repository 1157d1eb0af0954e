#pragma once

#include <string>
#include <vector>

#include "aclop/key.h"
#include "base/status.h"

namespace ge::singleop {

// An operator of the file.
struct SingleOp {
  aclop::OpDefinition definition;
  std::string node_name;  // [name], or the type
  std::string file_name;  // of its model, without folder
  std::string where;      // "add.json:14: [2]"
};

struct SingleOps {
  std::vector<SingleOp> ops;
  std::vector<Problem> warnings;
};

// Reads the file of --singleop (docs/single-operators.md).  All its faults at once.
Result<SingleOps> ReadSingleOps(const std::string& path);

}  // namespace ge::singleop
