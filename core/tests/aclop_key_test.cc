// Prints the hashes of the operators in a JSON file, in its order, one per line (tests/acl/
// test_core.py builds it and compares).  Attributes come as lists of [name, kind, value].
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "aclop/key.h"

namespace ge::aclop {
namespace {

using Json = nlohmann::json;

OpAttrs AttrsOf(const Json& json) {
  OpAttrs attrs;
  for (const Json& row : json) {
    const std::string name = row[0], kind = row[1];
    const Json& value = row[2];
    if (kind == "bool") attrs.Set(name, value.get<bool>());
    if (kind == "int") attrs.Set(name, value.get<int64_t>());
    if (kind == "float") attrs.Set(name, value.get<float>());
    if (kind == "string") attrs.Set(name, value.get<std::string>());
    if (kind == "data_type") attrs.Set(name, OpDtype{value.get<int32_t>()});
    if (kind == "list_bool") {
      std::vector<uint8_t> list;
      for (const Json& item : value) list.push_back(item.get<bool>());
      attrs.Set(name, list);
    }
    if (kind == "list_int") attrs.Set(name, value.get<std::vector<int64_t>>());
    if (kind == "list_float") attrs.Set(name, value.get<std::vector<float>>());
    if (kind == "list_string") attrs.Set(name, value.get<std::vector<std::string>>());
    if (kind == "list_list_int") attrs.Set(name, value.get<std::vector<std::vector<int64_t>>>());
  }
  return attrs;
}

OpTensorDesc DescOf(const Json& json, const std::string& constant) {
  OpTensorDesc desc;
  desc.dtype = json["dtype"];
  desc.format = json["format"];
  desc.storage_format = json["storageFormat"];
  desc.placement = json["placement"];
  desc.dims = SmallVector<int64_t, 4>(json["dims"].get<std::vector<int64_t>>());
  for (const Json& range : json["shapeRange"]) desc.shape_range.push_back({range[0], range[1]});
  if (json["isConst"].get<bool>()) {
    desc.constant = std::make_shared<const std::vector<uint8_t>>(constant.begin(), constant.end());
  }
  return desc;
}

uint64_t HashOfRow(const Json& json) {
  if (!json.contains("op")) return DigestOf(AttrsOf(json["attrs"]));
  OpDefinition definition;
  definition.type = json["op"];
  const std::string constant = json.value("const", "");
  for (const Json& desc : json["inputs"]) definition.inputs.push_back(DescOf(desc, constant));
  for (const Json& desc : json["outputs"]) definition.outputs.push_back(DescOf(desc, constant));
  definition.attrs = AttrsOf(json["attrs"]);
  const RequestOfDefinition views(definition);
  return json.contains("seq") ? DynamicHashOf(views.request, json["seq"].get<uint64_t>())
                              : HashOf(views.request);
}

}  // namespace
}  // namespace ge::aclop

int main(int, char** argv) {
  std::ifstream file(argv[1]);
  for (const auto& json : nlohmann::json::parse(file)) {
    std::printf("%llu\n", static_cast<unsigned long long>(ge::aclop::HashOfRow(json)));
  }
  return 0;
}
