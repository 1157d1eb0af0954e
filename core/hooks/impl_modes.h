#pragma once

#include <map>
#include <string>
#include <vector>

#include "api/hook_paths.h"
#include "base/status.h"

namespace ge::hooks {

// Which variant of an operator is asked for: the argument impl_mode.
class ImplModes {
 public:
  // E40003 when the file of --op_precision_mode cannot be read; lines of it that say no mode are
  // added to `warnings`.
  static Result<ImplModes> Read(const OperatorOptions& options, std::vector<Problem>* warnings);

  // Empty when nothing is asked for.
  const std::string& Of(const std::string& node, const std::string& type) const;

 private:
  Status ReadFile(const std::string& path, std::vector<Problem>* warnings);

  std::map<std::string, std::string> of_node_, of_type_;
  std::string of_others_;
};

}  // namespace ge::hooks
