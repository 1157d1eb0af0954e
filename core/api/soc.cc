#include "api/soc.h"

#include "tables/table.h"

namespace ge::api {

std::vector<SocInfo> AllSocs() {
  const Table socs = Table::Root("socs");
  std::vector<SocInfo> all;
  for (uint32_t i = 0; i < socs.size(); ++i) {
    const Table row = socs[i];
    SocInfo info;
    info.name = socs.KeyAt(i);
    info.family = row.Find("family").AsString();
    info.ai_cores = row.Find("ai_core_cnt").AsInt();
    const Table types = row.Find("vir_type_list");
    for (uint32_t j = 0; j < types.size(); ++j) info.virtual_types.push_back(types[j].AsInt());
    const Table conversions = row.Find("vconv");
    for (uint32_t j = 0; j < conversions.size(); ++j) {
      info.has_bf16 |= conversions[j].AsString().find("bf16") != std::string_view::npos;
    }
    all.push_back(std::move(info));
  }
  return all;
}

}  // namespace ge::api
