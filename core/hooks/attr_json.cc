#include "hooks/attr_json.h"

#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"
#include "ops/op_impl.h"

namespace ge::hooks {
namespace {

using Json = nlohmann::json;

Json Number(float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

std::optional<float> FloatOf(const Json& json) {
  if (json.is_number()) return json.get<float>();
  if (json == "inf") return std::numeric_limits<float>::infinity();
  if (json == "-inf") return -std::numeric_limits<float>::infinity();
  if (json == "nan") return std::numeric_limits<float>::quiet_NaN();
  return std::nullopt;
}

template <typename T>
std::optional<T> Read(const Json& json);
template <>
std::optional<float> Read(const Json& json) {
  return FloatOf(json);
}
template <>
std::optional<int64_t> Read(const Json& json) {
  return json.is_number_integer() ? std::optional(json.get<int64_t>()) : std::nullopt;
}
template <>
std::optional<bool> Read(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json == 0 || json == 1) return json == 1;  // ONNX has no bools
  return std::nullopt;
}
template <>
std::optional<std::string> Read(const Json& json) {
  return json.is_string() ? std::optional(json.get<std::string>()) : std::nullopt;
}

template <typename T>
std::optional<Attr> One(const Json& json) {
  std::optional<T> value = Read<T>(json);
  if (!value) return std::nullopt;
  return Attr(std::move(*value));
}

template <typename T>
std::optional<Attr> Many(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<T> values;
  for (const Json& item : json) {
    std::optional<T> value = Read<T>(item);
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return Attr(std::move(values));
}

std::optional<Attr> Lists(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<std::vector<int64_t>> rows;
  for (const Json& item : json) {
    std::optional<Attr> row = Many<int64_t>(item);
    if (!row) return std::nullopt;
    rows.push_back(std::get<std::vector<int64_t>>(*row));
  }
  return Attr(std::move(rows));
}

// Kinds by the names of operator libraries and those of prototypes.
std::optional<Attr> ReadKind(std::string_view kind, const Json& json) {
  if (kind == "int" || kind == "Int") return One<int64_t>(json);
  if (kind == "float" || kind == "Float") return One<float>(json);
  if (kind == "bool" || kind == "Bool") return One<bool>(json);
  if (kind == "str" || kind == "String") return One<std::string>(json);
  if (kind == "listInt" || kind == "ListInt") return Many<int64_t>(json);
  if (kind == "listFloat" || kind == "ListFloat") return Many<float>(json);
  if (kind == "listBool" || kind == "ListBool") return Many<bool>(json);
  if (kind == "listStr" || kind == "ListString") return Many<std::string>(json);
  if (kind == "listListInt" || kind == "ListListInt") return Lists(json);
  return std::nullopt;
}

struct Wanted {
  std::string name, kind;
  bool required = false;
};

std::vector<Wanted> WantedAttrs(const std::string& type, const OperatorInfo* info) {
  std::vector<Wanted> wanted;
  if (info != nullptr) {
    for (const OperatorAttr& attr : info->attrs) {
      wanted.push_back({attr.name, attr.type, attr.required});
    }
    return wanted;
  }
  const Table rows = OpRow(type).Find("attrs");
  for (uint32_t i = 0; i < rows.size(); ++i) {
    wanted.push_back({std::string(rows.KeyAt(i)), std::string(rows[i].Find("type").AsString()),
                      !rows[i].Has("default")});
  }
  return wanted;
}

}  // namespace

std::string JsonText(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Json AttrJson(const Attr& attr) {
  return std::visit(
      [](const auto& value) -> Json {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, float>) return Number(value);
        if constexpr (std::is_same_v<T, DataType>) return UserName(value);
        if constexpr (std::is_same_v<T, std::vector<float>>) {
          Json list = Json::array();
          for (const float one : value) list.push_back(Number(one));
          return list;
        }
        if constexpr (!std::is_same_v<T, DataType>) return value;
      },
      attr);
}

Json AttrsJson(const AttrMap& attrs) {
  Json json = Json::object();
  for (const auto& [name, attr] : attrs) {
    if (!name.starts_with('_')) json[name] = AttrJson(attr);
  }
  return json;
}

Status ReadAttrs(const Json& given, const std::string& node_name, const std::string& type,
                 const OperatorInfo* info, AttrMap* attrs) {
  Status faults;
  const auto fault = [&](const std::string& reason) {
    faults.Add(
        Error(ErrorId::kE14001, {{"opname", node_name}, {"optype", type}, {"reason", reason}}));
  };
  const std::vector<Wanted> wanted = WantedAttrs(type, info);
  std::vector<std::string> names;
  for (const Wanted& attr : wanted) names.push_back(attr.name);
  for (const auto& [name, json] : given.items()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      fault("it has an attribute [" + name + "]; the operator has " +
            (names.empty() ? std::string("none") : Join(names, ", ")));
      continue;
    }
    const std::string& kind = wanted[static_cast<size_t>(found - names.begin())].kind;
    std::optional<Attr> attr = ReadKind(kind, json);
    if (!attr) {
      fault("its attribute [" + name + "] is " + JsonText(json) + "; the operator takes " + kind);
      continue;
    }
    attrs->Set(name, std::move(*attr));
  }
  for (const Wanted& attr : wanted) {
    if (attr.required && !given.contains(attr.name)) {
      fault("it lacks the attribute [" + attr.name + "], which the operator requires");
    }
  }
  return faults;
}

}  // namespace ge::hooks
