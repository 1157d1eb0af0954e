#include "api/soc.h"

#include "tables/table.h"

namespace ge::api {
namespace {

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
  if (name == "Ascend910") name = "Ascend910A";
  const Table row = Table::Root("socs").Find(name);
  return row.is_null() ? std::nullopt : std::optional(InfoOf(name, row));
}

}  // namespace ge::api
