// fusion_result.json as ATC writes it: how often each fusion rule matched and took effect.
#include <map>

#include "report/record.h"
#include "wire/json_writer.h"

namespace ge::api {

std::string FusionResultAsJson(const CompileRecord& record) {
  struct Times {
    size_t effect = 0, match = 0;
  };
  std::map<std::string_view, Times> times;
  for (const auto& [pass, places, matches] : record.passes) {
    const bool is_fusion = pass.kind == PassKind::kFusion || pass.kind == PassKind::kBasicFusion;
    if (!is_fusion || matches == 0) continue;
    Times& sum = times[pass.atc_name.empty() ? pass.name : pass.atc_name];
    sum.effect += places;
    sum.match += matches;
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
    json.Key("effect_times");
    json.Text(std::to_string(count.effect));
    json.Key("match_times");
    json.Text(std::to_string(count.match));
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
