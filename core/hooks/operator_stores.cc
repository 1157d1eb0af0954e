#include "hooks/operator_stores.h"

#include <algorithm>
#include <filesystem>

#include "hooks/text.h"

namespace ge::hooks {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCustomPath = "ASCEND_CUSTOM_OPP_PATH";
constexpr std::string_view kOppPath = "ASCEND_OPP_PATH";

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<std::string> LibrariesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string suffix = entry.path().extension().string();
    if (suffix == ".json" || suffix == ".ini") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  // The ini form is what the JSON form is made from.
  const bool has_json = std::any_of(
      files.begin(), files.end(), [](const std::string& file) { return file.ends_with(".json"); });
  std::erase_if(files, [&](const std::string& file) { return has_json && file.ends_with(".ini"); });
  return files;
}

}  // namespace

Result<OperatorStores> OperatorStores::Open(const HookPaths& paths, std::string_view soc_family) {
  OperatorStores stores;
  const std::string soc = Lower(soc_family);
  Status faults;
  for (std::string folder : Split(paths.custom_operators, ':')) {
    while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
    std::string why_not = "it is no absolute path";
    Result<bool> added = false;
    if (folder.front() == '/') added = stores.AddVendor(folder, soc, &why_not);
    faults.Add(added.status());
    if (added.ok() && !*added) {
      stores.warnings_.push_back(MakeProblem(
          ErrorId::kW40012, {{"value", folder}, {"env", kCustomPath}, {"reason", why_not}}));
    }
  }
  if (!stores.empty()) stores.configured_by_ = kCustomPath;
  if (!paths.operators.empty()) {
    faults.Add(stores.AddVendors(paths.operators, soc));
    if (!stores.empty() && stores.configured_by_.empty()) stores.configured_by_ = kOppPath;
  }
  if (!faults.ok()) return faults;
  return stores;
}

Status OperatorStores::AddVendors(const std::string& root, std::string_view soc) {
  const std::string config = root + "/vendors/config.ini";
  std::error_code ignored;
  if (!fs::exists(config, ignored)) return Status::Ok();
  GE_ASSIGN(const std::string text, ReadText(config));
  Status faults;
  for (const std::string& raw : Split(text, '\n')) {
    const std::string line = Trimmed(raw);
    if (line.empty() || line.front() == '#' || line.find("load_priority") == std::string::npos) {
      continue;
    }
    const size_t equals = line.find('=');
    if (equals == std::string::npos) {
      return Error(ErrorId::kE13006,
                   {{"where", config},
                    {"reason", "line [" + line + "] has no =; write load_priority=VENDOR,..."}});
    }
    for (const std::string& word : Split(line.substr(equals + 1), ',')) {
      const std::string vendor = Trimmed(word);
      if (vendor.empty()) continue;
      std::string why_not;
      const Result<bool> added = AddVendor(root + "/vendors/" + vendor, soc, &why_not);
      faults.Add(added.status());
      if (added.ok() && !*added) {
        warnings_.push_back(MakeProblem(
            ErrorId::kW40012,
            {{"value", vendor}, {"env", "load_priority of " + config}, {"reason", why_not}}));
      }
    }
    break;  // only the first such line counts
  }
  return faults;
}

Result<bool> OperatorStores::AddVendor(const std::string& folder, std::string_view soc,
                                       std::string* why_not) {
  const std::string vendor = folder.substr(folder.rfind('/') + 1);
  bool found = false;
  std::string missing;
  for (const std::string_view core : {"ai_core", "vector_core"}) {
    const std::string store = folder + "/op_impl/" + std::string(core) + "/tbe";
    const std::string config = store + "/config";
    const std::string implementation = store + "/" + vendor + "_impl";
    if (!IsFolder(config) || !IsFolder(implementation)) {
      if (missing.empty()) missing = IsFolder(config) ? implementation : config;
      continue;
    }
    found = true;
    if (!IsFolder(config + "/" + std::string(soc))) {
      warnings_.push_back(MakeProblem(
          ErrorId::kW40012, {{"value", folder},
                             {"env", kCustomPath},
                             {"reason", "its operators are for other SoCs: there is no folder " +
                                            config + "/" + std::string(soc)}}));
    }
    GE_TRY(AddLibraries(config + "/" + std::string(soc), implementation));
  }
  const std::string parsers = folder + "/framework";
  if (IsFolder(parsers)) {
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(parsers, ignored)) {
      if (entry.path().extension() != ".py") continue;
      parser_folders_.push_back(parsers);
      found = true;
      break;
    }
  }
  *why_not = "there is no folder " + missing;
  return found;
}

Status OperatorStores::AddLibraries(const std::string& config, const std::string& implementation) {
  const uint64_t priority = next_priority_++;
  Status faults;
  for (const std::string& file : LibrariesIn(config)) {
    const Result<std::string> text = ReadText(file);
    if (!text.ok()) {
      faults.Add(text.status());
      continue;
    }
    Result<std::vector<OperatorInfo>> infos = ReadOperatorInfo(file, *text);
    if (!infos.ok()) {
      faults.Add(infos.status());
      continue;
    }
    for (OperatorInfo& info : *infos) {
      info.folder = implementation;
      info.priority = priority;
      std::string type = info.type;
      operators_.try_emplace(std::move(type), std::move(info));
    }
  }
  return faults;
}

const OperatorInfo* OperatorStores::Find(std::string_view type) const {
  const auto found = operators_.find(std::string(type));
  return found == operators_.end() ? nullptr : &found->second;
}

std::vector<const OperatorInfo*> OperatorStores::All() const {
  std::vector<const OperatorInfo*> all;
  for (const auto& [type, info] : operators_) all.push_back(&info);
  std::sort(all.begin(), all.end(),
            [](const OperatorInfo* a, const OperatorInfo* b) { return a->type < b->type; });
  return all;
}

}  // namespace ge::hooks
