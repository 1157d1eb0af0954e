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

Json UnitsOf(Table row) {
  const Table other = Table::Root("socs").Find(row.Find("units_of").AsString());
  const Table units = other.is_null() ? row.Find("units") : other.Find("units");
  Json json = Json::object();
  for (uint32_t i = 0; i < units.size(); ++i) json[std::string(units.KeyAt(i))] = ListOf(units[i]);
  return json;
}

SocInfo InfoOf(std::string_view name, Table row) {
  SocInfo info;
  info.name = name;
  info.family = row.Find("family").AsString();
  info.ai_cores = row.Find("ai_core_cnt").AsInt();
  const Table types = row.Find("vir_type_list");
  for (uint32_t i = 0; i < types.size(); ++i) info.virtual_types.push_back(types[i].AsInt());
  const Table conversions = row.Find("vconv");
  for (uint32_t i = 0; i < conversions.size(); ++i) {
    info.has_bf16 |= conversions[i].AsString().find("bf16") != std::string_view::npos;
  }
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
  json["units"] = UnitsOf(row);
  return json.dump();
}

}  // namespace ge::api
