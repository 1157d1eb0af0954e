#include "hooks/impl_modes.h"

#include <algorithm>
#include <sstream>

#include "hooks/text.h"

namespace ge::hooks {
namespace {

constexpr std::string_view kModes[] = {
    "high_precision",
    "high_performance",
    "super_performance",
    "enable_float_32_execution",
    "enable_hi_float_32_execution",
    "support_out_of_bound_index",
    "keep_fp16",
    "norm_class",
};

std::string AllModes() {
  std::string all;
  for (const std::string_view mode : kModes) all += (all.empty() ? "" : ", ") + std::string(mode);
  return all;
}

}  // namespace

Result<ImplModes> ImplModes::Read(const OperatorOptions& options, std::vector<Problem>* warnings) {
  ImplModes modes;
  if (!options.mode_file.empty()) {  // the other two do not count then
    GE_TRY(modes.ReadFile(options.mode_file, warnings));
    return modes;
  }
  const std::string mode = options.impl_mode.substr(0, options.impl_mode.find("_for_all"));
  if (options.impl_types.empty()) modes.of_others_ = mode;
  for (const std::string& type : Split(options.impl_types, ',')) {
    if (const std::string name = Trimmed(type); !name.empty()) modes.of_type_[name] = mode;
  }
  return modes;
}

// [ByOpType] and [ByNodeName] with name=mode; lines before a section are of the first.
Status ImplModes::ReadFile(const std::string& path, std::vector<Problem>* warnings) {
  GE_ASSIGN(const std::string text, ReadText(path));
  std::map<std::string, std::string>* section = &of_type_;
  for (const std::string& raw : Split(text, '\n')) {
    const std::string line = Trimmed(raw);
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    if (line.front() == '[') {
      section = line == "[ByNodeName]" ? &of_node_ : &of_type_;
      continue;
    }
    const size_t equals = line.rfind('=');
    const std::string mode = equals == std::string::npos ? "" : Trimmed(line.substr(equals + 1));
    if (std::find(std::begin(kModes), std::end(kModes), mode) == std::end(kModes)) {
      warnings->push_back(
          MakeProblem(ErrorId::kW40012, {{"value", line},
                                         {"env", "--op_precision_mode"},
                                         {"reason", "accepted is NAME=MODE with " + AllModes()}}));
      continue;
    }
    section->emplace(Trimmed(line.substr(0, equals)), mode);
  }
  return Status::Ok();
}

const std::string& ImplModes::Of(const std::string& node, const std::string& type) const {
  if (const auto found = of_node_.find(node); found != of_node_.end()) return found->second;
  if (const auto found = of_type_.find(type); found != of_type_.end()) return found->second;
  return of_others_;
}

}  // namespace ge::hooks
