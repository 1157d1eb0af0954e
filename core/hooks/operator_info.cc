#include "hooks/operator_info.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.h"
#include "hooks/text.h"

namespace ge::hooks {
namespace {

using Json = nlohmann::ordered_json;
// Item -> key -> value of one operator, in either form of the file.
using Items = std::map<std::string, std::map<std::string, std::string>>;

std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const size_t comma = text.find(',');
    words.push_back(Trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

// Accepted values of keys whose list is closed; letter case is free.
struct Choice {
  std::string_view item, key;
  std::vector<std::string_view> values;
};
const std::vector<Choice>& Choices() {
  static const std::vector<std::string_view> kBool = {"true", "false"};
  static const std::vector<Choice> kChoices = {
      {"dynamicShapeSupport", "flag", kBool},
      {"dynamicCompileStatic", "flag", {"true", "false", "tune"}},
      {"dynamicRankSupport", "flag", {"true", "false", "upgrade_to_dynamic_rank"}},
      {"dynamicFormat", "flag", kBool},
      {"needCheckSupport", "flag", kBool},
      {"precision_reduce", "flag", kBool},
      {"heavyOp", "flag", kBool},
      {"op",
       "pattern",
       {"formatAgnostic", "broadcast", "broadcastEnhanced", "reduce", "rangeAgnostic", "dynamic"}},
      {"rangeLimit", "value", {"limited", "unlimited", "dynamic"}},
  };
  return kChoices;
}

const std::vector<std::string_view> kParamTypes = {"required", "optional", "dynamic", "reserved"};
const std::vector<std::string_view> kAttrTypes = {
    "int", "bool", "float", "str", "listInt", "listFloat", "listBool", "listStr", "listListInt"};
const std::vector<std::string_view> kValueDepends = {"required", "optional"};

// Names that TBE has for data types besides our own.
DataType DtypeOf(const std::string& name) {
  if (name == "float") return DataType::kFloat;
  for (int number = 0; number <= static_cast<int>(DataType::kHifloat4); ++number) {
    const DataTypeRow& row = RowOf(static_cast<DataType>(number));
    if (row.user_name == name && row.dtype != DataType::kUndefined) return row.dtype;
  }
  return DataType::kUndefined;
}

class Reader {
 public:
  Reader(const std::string& path, const std::string& type, const Items& items, Status& faults)
      : path_(path), type_(type), items_(items), faults_(faults) {}

  OperatorInfo Read() {
    OperatorInfo info;
    info.type = type_;
    info.file = path_;
    for (const Choice& choice : Choices()) {
      const std::string* value = Find(choice.item, choice.key);
      if (value != nullptr) CheckWord(std::string(choice.item), choice.key, *value, choice.values);
    }
    const std::string snake = SnakeCase(type_);
    info.module = Text("opFile", "value", snake);
    info.function = Text("opInterface", "value", snake);
    info.needs_check = Flag("needCheckSupport");
    info.dynamic_format = Flag("dynamicFormat");
    info.dynamic_shape = Flag("dynamicShapeSupport");
    info.dynamic_for_static = Flag("dynamicCompileStatic");
    info.precision_reduce = Lower(Text("precision_reduce", "flag", ""));
    info.inputs = Ports("input");
    info.outputs = Ports("output");
    if (info.outputs.empty()) Fault("output0", "the operator has no output");
    CheckCombinations(info);
    if (Text("op", "pattern", "") == "formatAgnostic" &&
        (info.inputs.size() != 1 || info.outputs.size() != 1)) {
      Fault("op.pattern", "formatAgnostic needs one input and one output, but there are " +
                              std::to_string(info.inputs.size()) + " and " +
                              std::to_string(info.outputs.size()));
    }
    ReadAttrs(info);
    return info;
  }

 private:
  void Fault(const std::string& key, const std::string& reason) {
    faults_.Add(Error(
        ErrorId::kE13006,
        {{"where", path_ + ": operator [" + type_ + "], key [" + key + "]"}, {"reason", reason}}));
  }

  const std::string* Find(std::string_view item, std::string_view key) const {
    const auto found = items_.find(std::string(item));
    if (found == items_.end()) return nullptr;
    const auto value = found->second.find(std::string(key));
    return value == found->second.end() ? nullptr : &value->second;
  }
  std::string Text(std::string_view item, std::string_view key, std::string fallback) const {
    const std::string* value = Find(item, key);
    return value == nullptr || value->empty() ? fallback : *value;
  }
  bool Flag(std::string_view item) const { return Lower(Text(item, "flag", "")) == "true"; }

  void CheckWord(const std::string& item, std::string_view key, const std::string& value,
                 const std::vector<std::string_view>& accepted) {
    std::vector<std::string> names;
    for (const std::string_view word : accepted) {
      if (Lower(word) == Lower(value)) return;
      names.emplace_back(word);
    }
    Fault(item + "." + std::string(key),
          "its value is [" + value + "]; accepted are " + Join(names, ", "));
  }

  std::vector<OperatorPort> Ports(const std::string& side) {
    std::vector<OperatorPort> ports;
    size_t stated = 0;
    for (const auto& [item, keys] : items_) {
      const bool is_port = item.starts_with(side) && item.size() > side.size() &&
                           item.find_first_not_of("0123456789", side.size()) == std::string::npos;
      stated += is_port ? 1 : 0;
    }
    for (size_t i = 0; i < stated; ++i) {
      const std::string item = side + std::to_string(i);
      if (!items_.contains(item)) {
        Fault(item, "it is missing, but the operator has " + std::to_string(stated) + " " + side +
                        "s, counted from 0");
        continue;
      }
      ports.push_back(ReadPort(item));
    }
    return ports;
  }

  OperatorPort ReadPort(const std::string& item) {
    OperatorPort port;
    port.name = Text(item, "name", "");
    if (port.name.empty()) Fault(item + ".name", "it is missing");
    const std::string kind = Lower(Text(item, "paramType", ""));
    if (kind.empty()) {
      Fault(item + ".paramType", "it is missing; accepted are required, optional, dynamic");
    } else {
      CheckWord(item, "paramType", kind, kParamTypes);
    }
    port.kind = kind == "dynamic"                          ? PortKind::kDynamic
                : kind == "optional" || kind == "reserved" ? PortKind::kOptional
                                                           : PortKind::kRequired;
    if (const std::string* depends = Find(item, "valueDepend")) {
      CheckWord(item, "valueDepend", *depends, kValueDepends);
      port.needs_value = true;
    }
    if (const std::string* dtypes = Find(item, "dtype")) {
      for (const std::string& name : Words(*dtypes)) {
        port.dtypes.push_back(DtypeOf(name));
        if (port.dtypes.back() != DataType::kUndefined) continue;
        Fault(item + ".dtype", "[" + name +
                                   "] is no data type; accepted are names like float16, float, "
                                   "int32, bool, bfloat16");
      }
    }
    if (const std::string* formats = Find(item, "format")) port.formats = Words(*formats);
    return port;
  }

  // Position k of every list is combination k.
  void CheckCombinations(const OperatorInfo& info) {
    size_t count = 0;
    std::string first;
    const auto check = [&](const std::string& key, size_t length) {
      if (length == 0) return;
      if (count == 0) {
        count = length;
        first = key;
      }
      if (length == count) return;
      Fault(key, "it lists " + std::to_string(length) + " entries, but [" + first + "] lists " +
                     std::to_string(count) + "; entry k of every list is one combination");
    };
    const auto each = [&](const std::vector<OperatorPort>& ports, const std::string& side) {
      for (size_t i = 0; i < ports.size(); ++i) {
        const std::string item = side + std::to_string(i);
        if (ports[i].dtypes.empty() && !info.dynamic_format) {
          Fault(item + ".dtype", "it is missing; only dynamicFormat.flag=true does without");
        }
        check(item + ".dtype", ports[i].dtypes.size());
        check(item + ".format", ports[i].formats.size());
      }
    };
    each(info.inputs, "input");
    each(info.outputs, "output");
  }

  void ReadAttrs(OperatorInfo& info) {
    std::set<std::string> listed;
    if (const std::string* list = Find("attr", "list"); list != nullptr && !list->empty()) {
      for (const std::string& name : Words(*list)) {
        if (!items_.contains("attr_" + name)) {
          Fault("attr.list", "it names [" + name + "], but there is no item attr_" + name);
          continue;
        }
        if (!listed.insert(name).second) {
          Fault("attr.list", "it names [" + name + "] more than once");
          continue;
        }
        info.attrs.push_back(ReadAttr(name));
      }
    }
    for (const auto& [item, keys] : items_) {
      if (item.starts_with("attr_") && !listed.contains(item.substr(5))) {
        Fault(item, "it is not in attr.list, which gives the order in the call");
      }
    }
  }

  OperatorAttr ReadAttr(const std::string& name) {
    const std::string item = "attr_" + name;
    OperatorAttr attr;
    attr.name = name;
    attr.type = Text(item, "type", "");
    if (attr.type.empty()) {
      Fault(item + ".type", "it is missing");
    } else if (std::find(kAttrTypes.begin(), kAttrTypes.end(), attr.type) == kAttrTypes.end()) {
      CheckWord(item, "type", attr.type, kAttrTypes);
    }
    if (Text(item, "value", "").empty()) {
      Fault(item + ".value", "it is missing; accepted are all, or a list of values");
    }
    const std::string kind = Lower(Text(item, "paramType", ""));
    if (kind != "required" && kind != "optional") {
      Fault(item + ".paramType",
            (kind.empty() ? std::string("it is missing") : "its value is [" + kind + "]") +
                "; accepted are required, optional");
    }
    attr.required = kind != "optional";
    const std::string* text = Find(item, "defaultValue");
    if (!attr.required && text == nullptr) {
      Fault(item + ".defaultValue", "it is missing, but the attribute is optional");
    }
    if (text != nullptr) attr.default_text = *text;
    return attr;
  }

  const std::string& path_;
  const std::string& type_;
  const Items& items_;
  Status& faults_;
};

Status AtFile(const std::string& path, const std::string& reason) {
  return Error(ErrorId::kE13006, {{"where", path}, {"reason", reason}});
}

// Type -> items, in the order of the file.
using Library = std::vector<std::pair<std::string, Items>>;

Result<Library> ReadJson(const std::string& path, std::string_view text) {
  Library library;
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return AtFile(path, std::string("it is not valid JSON: ") + error.what());
  }
  if (!json.is_object()) return AtFile(path, "it holds no JSON object of operators");
  Status faults;
  const auto fault = [&](const std::string& type, const std::string& key, const Json& seen,
                         const std::string& accepted) {
    faults.Add(Error(
        ErrorId::kE13006,
        {{"where", path + ": operator [" + type + "]" + (key.empty() ? "" : ", key [" + key + "]")},
         {"reason", "its value is " + seen.dump() + "; accepted is " + accepted}}));
  };
  for (const auto& [type, items] : json.items()) {
    if (!items.is_object()) {
      fault(type, "", items, "an object of items");
      continue;
    }
    Items read;
    for (const auto& [item, keys] : items.items()) {
      if (!keys.is_object()) {
        fault(type, item, keys, "an object of texts");
        continue;
      }
      for (const auto& [key, value] : keys.items()) {
        if (value.is_string()) {
          read[item][key] = Trimmed(value.get<std::string>());
        } else {
          fault(type, item + "." + key, value, "a text");
        }
      }
      read[item];
    }
    library.emplace_back(type, std::move(read));
  }
  if (!faults.ok()) return faults;
  return library;
}

// [OpType] sections with item.key=value lines.
Result<Library> ReadIni(const std::string& path, std::string_view text) {
  Library library;
  Status faults;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string line = Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    const std::string where = "line " + std::to_string(number) + ": ";
    if (line.front() == '[' && line.back() == ']') {
      library.emplace_back(Trimmed(std::string_view(line).substr(1, line.size() - 2)), Items());
      continue;
    }
    const size_t equals = line.find('='), dot = line.find('.');
    if (equals == std::string::npos || dot == std::string::npos || dot > equals) {
      faults.Add(AtFile(path, where + "[" + line + "] is not like item.key=value"));
      continue;
    }
    if (library.empty()) {
      faults.Add(AtFile(path, where + "[" + line + "] stands before the first [OpType]"));
      continue;
    }
    const std::string item = Trimmed(line.substr(0, dot));
    const std::string key = Trimmed(line.substr(dot + 1, equals - dot - 1));
    const bool is_new =
        library.back().second[item].emplace(key, Trimmed(line.substr(equals + 1))).second;
    if (!is_new) {
      faults.Add(AtFile(path, where + "operator [" + library.back().first + "] has the key [" +
                                  item + "." + key + "] twice"));
    }
  }
  if (!faults.ok()) return faults;
  return library;
}

}  // namespace

std::string SnakeCase(std::string_view type) {
  const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  std::string snake;
  bool in_head = false;
  for (size_t i = 0; i < type.size(); ++i) {
    const char c = type[i];
    if (is_lower(c)) in_head = false;
    if (c >= '0' && c <= '9') in_head = true;
    if (is_upper(c) && i != 0) {
      if (!in_head) {
        snake += '_';
        in_head = true;
      } else if (i + 1 < type.size() && is_lower(type[i + 1])) {
        snake += '_';
      }
    }
    snake += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return snake;
}

Result<std::vector<OperatorInfo>> ReadOperatorInfo(const std::string& path, std::string_view text) {
  GE_ASSIGN(const Library library,
            path.ends_with(".ini") ? ReadIni(path, text) : ReadJson(path, text));
  std::vector<OperatorInfo> infos;
  Status faults;
  for (const auto& [type, items] : library) {
    OperatorInfo info = Reader(path, type, items, faults).Read();
    if (info.module == "Null" || info.module == "AICore_Null") continue;
    infos.push_back(std::move(info));
  }
  if (!faults.ok()) return faults;
  return infos;
}

}  // namespace ge::hooks
