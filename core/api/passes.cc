#include "api/passes.h"

#include <algorithm>

#include "passes/pipeline.h"
#include "tables/table.h"

namespace ge::api {
namespace {

std::vector<std::string_view> Names(std::string_view list) {
  const Table rows = Table::Root("fusion_rules").Find(list);
  std::vector<std::string_view> names;
  for (uint32_t i = 0; i < rows.size(); ++i) names.push_back(rows[i].AsString());
  return names;
}

bool Contains(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<PassInfo> AllPasses() {
  std::vector<PassInfo> all;
  for (const Pass& pass : Pipeline()) all.push_back(pass.info);
  return all;
}

bool IsGraphRule(std::string_view name) {
  return Contains(Names("graph_fusion"), name) || Contains(Names("graph_passes"), name);
}

bool IsUbRule(std::string_view name) {
  return Contains(Names("ub_fusion"), name);
}

std::vector<std::string_view> GraphRules() {
  std::vector<std::string_view> names = Names("graph_fusion");
  for (const std::string_view name : Names("graph_passes")) names.push_back(name);
  for (const Pass& pass : Pipeline()) names.push_back(pass.info.name);
  return names;
}

}  // namespace ge::api
