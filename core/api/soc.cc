#include "api/soc.h"

#include <nlohmann/json.hpp>

#include "tables/table.h"

namespace ge::api {
namespace {

using Json = nlohmann::json;

// The name in the table, and its row, which is null when there is none.
std::pair<std::string_view, Table> RowOf(std::string_view name) {
  if (name == "Ascend910") name = "Ascend910A";
  return {name, Table::Root("socs").Find(name)};
}

Json ScalarOf(Table value) {
  return value.is_string() ? Json(std::string(value.AsString())) : Json(value.AsInt());
}

Json ListOf(Table values) {
  Json list = Json::array();
  for (uint32_t i = 0; i < values.size(); ++i) list.push_back(ScalarOf(values[i]));
  return list;
}

Table UnitsOf(Table row) {
  const Table other = Table::Root("socs").Find(row.Find("units_of").AsString());
  return other.is_null() ? row.Find("units") : other.Find("units");
}

Json UnitsAsJson(Table units) {
  Json json = Json::object();
  for (uint32_t i = 0; i < units.size(); ++i) json[std::string(units.KeyAt(i))] = ListOf(units[i]);
  return json;
}

bool AnyHas(Table names, std::string_view part) {
  for (uint32_t i = 0; i < names.size(); ++i) {
    if (names[i].AsString().find(part) != std::string_view::npos) return true;
  }
  return false;
}

SocInfo InfoOf(std::string_view name, Table row) {
  SocInfo info;
  info.name = name;
  info.family = row.Find("family").AsString();
  info.ai_cores = row.Find("ai_core_cnt").AsInt();
  const Table types = row.Find("vir_type_list");
  for (uint32_t i = 0; i < types.size(); ++i) info.virtual_types.push_back(types[i].AsInt());
  info.has_bf16 = AnyHas(row.Find("vconv"), "bf16");
  info.has_hif8 = AnyHas(UnitsOf(row).Find("data_move_l12l0a"), "hif8");
  return info;
}

}  // namespace

std::vector<SocInfo> AllSocs() {
  const Table socs = Table::Root("socs");
  std::vector<SocInfo> all;
  for (uint32_t i = 0; i < socs.size(); ++i) all.push_back(InfoOf(socs.KeyAt(i), socs[i]));
  return all;
}

std::optional<SocInfo> FindSoc(std::string_view name) {
  const auto [canonical, row] = RowOf(name);
  return row.is_null() ? std::nullopt : std::optional(InfoOf(canonical, row));
}

std::string SocAsJson(const std::string& name) {
  const auto [canonical, row] = RowOf(name);
  if (row.is_null()) return "";
  Json json = {{"name", canonical}};
  for (uint32_t i = 0; i < row.size(); ++i) {
    const std::string_view key = row.KeyAt(i);
    if (!key.starts_with("units")) {
      json[std::string(key)] = row[i].size() != 0 ? ListOf(row[i]) : ScalarOf(row[i]);
    }
  }
  json["units"] = UnitsAsJson(UnitsOf(row));
  return json.dump();
}

}  // namespace ge::api
