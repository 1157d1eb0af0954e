// fusion_result.json as ATC writes it: how often each fusion rule matched and took effect.
#include <map>

#include "report/record.h"
#include "wire/json_writer.h"

namespace ge::api {

std::string FusionResultAsJson(const CompileRecord& record) {
  std::map<std::string_view, size_t> times;
  for (const auto& [pass, places] : record.passes) {
    const bool is_fusion = pass.kind == PassKind::kFusion || pass.kind == PassKind::kBasicFusion;
    if (is_fusion && places != 0)
      times[pass.atc_name.empty() ? pass.name : pass.atc_name] += places;
  }
  std::string text;
  wire::JsonWriter json([&](std::span<const uint8_t> bytes) {
    text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return Status::Ok();
  });
  json.BeginObject();
  json.Key("session_and_graph_id_0_0");
  json.BeginObject();
  json.Key("graph_fusion");
  json.BeginObject();
  for (const auto& [name, count] : times) {
    json.Key(name);
    json.BeginObject();
    for (const char* key : {"effect_times", "match_times"}) {  // what matches is rewritten
      json.Key(key);
      json.Text(std::to_string(count));
    }
    json.EndObject();
  }
  json.EndObject();
  json.Key("ub_fusion");  // kernels are not merged when a model is compiled
  json.BeginObject();
  json.EndObject();
  json.EndObject();
  json.EndObject();
  const Status finished = json.Finish();  // the sink takes everything
  return finished.ok() ? text : "";
}

}  // namespace ge::api
