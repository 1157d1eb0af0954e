#include "ops/attr_default.h"

#include "ops/op_impl.h"

namespace ge {
namespace {

template <typename T, typename Read>
std::vector<T> ListOf(Table list, Read read) {
  std::vector<T> values;
  for (uint32_t i = 0; i < list.size(); ++i) values.push_back(static_cast<T>(read(list[i])));
  return values;
}

int64_t IntOf(Table value) {
  return value.AsInt();
}

}  // namespace

std::optional<Attr> AttrOrDefault(const Node& node, std::string_view name) {
  if (const Attr* attr = node.attrs().Find(name)) return *attr;
  const Table row = OpRow(node.type()).Find("attrs").Find(name);
  const Table value = row.Find("default");
  if (value.is_null()) return std::nullopt;
  const std::string_view type = row.Find("type").AsString();
  if (type == "String") return std::string(value.AsString());
  if (value.is_string()) return std::nullopt;  // the name of a constant of the C++ prototypes
  if (type == "Bool") return value.AsBool();
  if (type == "Int") return value.AsInt();
  if (type == "Type") return static_cast<DataType>(value.AsInt());
  if (type == "Float") return static_cast<float>(value.AsDouble());
  if (type == "ListInt" || type == "ListType") return ListOf<int64_t>(value, IntOf);
  if (type == "ListBool") return ListOf<bool>(value, IntOf);
  if (type == "ListFloat")
    return ListOf<float>(value, [](Table number) { return number.AsDouble(); });
  if (type == "ListString") {
    return ListOf<std::string>(value, [](Table text) { return std::string(text.AsString()); });
  }
  if (type == "ListListInt") {
    return ListOf<std::vector<int64_t>>(value,
                                        [](Table list) { return ListOf<int64_t>(list, IntOf); });
  }
  return std::nullopt;
}

}  // namespace ge
