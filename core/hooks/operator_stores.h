#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/hook_paths.h"
#include "hooks/operator_info.h"

namespace ge::hooks {

// Operators that the user wrote in Python, by type: the first of several stores counts.
//
//   every entry of custom_operators, in order      <entry>/op_impl/{ai_core,vector_core}/tbe
//   every vendor of <operators>/vendors/config.ini, by load_priority   <operators>/vendors/<vendor>
//     config/<soc>/*.json or *.ini     what operators there are
//     <vendor>_impl                    their files
class OperatorStores {
 public:
  // `soc_family` is that of the SoC: "Ascend310P".  All faults of all files at once.
  static Result<OperatorStores> Open(const HookPaths& paths, std::string_view soc_family);

  bool empty() const { return operators_.empty() && parser_folders_.empty(); }
  // nullptr when there is no such type.
  const OperatorInfo* Find(std::string_view type) const;
  // Sorted by type.
  std::vector<const OperatorInfo*> All() const;
  // Folders of Python modules that say how operators of ONNX become these.
  const std::vector<std::string>& parser_folders() const { return parser_folders_; }
  // Entries that were skipped.
  const std::vector<Problem>& warnings() const { return warnings_; }
  // What brought the stores: "ASCEND_CUSTOM_OPP_PATH".
  std::string_view configured_by() const { return configured_by_; }

 private:
  Status AddVendors(const std::string& root, std::string_view soc);
  // Whether the folder is a vendor's; `why_not` says what it lacks.
  Result<bool> AddVendor(const std::string& folder, std::string_view soc, std::string* why_not);
  Status AddLibraries(const std::string& config, const std::string& implementation);

  std::unordered_map<std::string, OperatorInfo> operators_;
  std::vector<std::string> parser_folders_;
  std::vector<Problem> warnings_;
  std::string_view configured_by_;
  uint64_t next_priority_ = 0;
};

}  // namespace ge::hooks
