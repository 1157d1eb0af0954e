#include "precision/selection.h"

#include <algorithm>

#include "base/text.h"

namespace ge {
namespace {

constexpr size_t kNamesShown = 10;

bool IsPascalCase(std::string_view type) {
  return !type.empty() && type[0] >= 'A' && type[0] <= 'Z' &&
         std::all_of(type.begin(), type.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

}  // namespace

Selection::Selection(const PrecisionRequest& request) : request_(request) {
  for (const std::string& name : request.keep_nodes) keep_nodes_.try_emplace(name);
  for (const std::string& type : request.keep_types) keep_types_.try_emplace(type);
  for (const CustomDtypes& custom : request.custom) {
    (custom.is_type ? custom_types_ : custom_nodes_).try_emplace(custom.name, Entry{&custom});
  }
  for (const MixEdit& edit : request.mix_edits) mix_types_.try_emplace(edit.type);
}

Selection::Entry* Selection::FindByName(Entries& entries, const Node& node) {
  if (entries.empty()) return nullptr;
  auto found = entries.find(node.name());
  for (const std::string& name : node.source_names()) {
    if (found == entries.end()) found = entries.find(name);
  }
  if (found == entries.end()) return nullptr;
  found->second.used = true;
  return &found->second;
}

Selection::Entry* Selection::FindByType(Entries& entries, const Node& node) {
  const auto found = entries.find(node.type());
  if (found == entries.end()) return nullptr;
  found->second.used = true;
  return &found->second;
}

bool Selection::Keeps(const Node& node) {
  const bool by_name = FindByName(keep_nodes_, node) != nullptr;
  return FindByType(keep_types_, node) != nullptr || by_name;
}

const CustomDtypes* Selection::CustomOf(const Node& node) {
  const Entry* by_type = FindByType(custom_types_, node);
  const Entry* by_name = FindByName(custom_nodes_, node);
  const Entry* entry = by_name != nullptr ? by_name : by_type;
  return entry == nullptr ? nullptr : entry->custom;
}

void Selection::Note(const Node& node) {
  FindByType(mix_types_, node);
}

void Selection::ReportUnused(std::vector<Problem>& warnings, Status& faults) const {
  const auto report = [&](std::string_view flag, const Entries& entries, std::string_view what) {
    std::vector<std::string> unused;
    for (const auto& [name, entry] : entries) {
      if (!entry.used) unused.emplace_back(name);
    }
    if (unused.empty()) return;
    std::sort(unused.begin(), unused.end());
    warnings.push_back(MakeProblem(
        ErrorId::kW10001, {{"parameter", flag},
                           {"reason", "the network has no " + std::string(what) + " " +
                                          Join(unused, ", ", kNamesShown) + " (after fusion)"}}));
  };
  for (const std::string& type : request_.keep_types) {
    if (IsPascalCase(type)) continue;
    faults.Add(Error(ErrorId::kE10003, {{"value", "OpType::" + type},
                                        {"parameter", "--keep_dtype"},
                                        {"reason", "an operator type is written as in MatMulV2"}}));
  }
  report("--keep_dtype", keep_nodes_, "node");
  report("--keep_dtype", keep_types_, "operator of type");
  report("--customize_dtypes", custom_nodes_, "node");
  report("--customize_dtypes", custom_types_, "operator of type");
  report("--modify_mixlist", mix_types_, "operator of type");
}

}  // namespace ge
