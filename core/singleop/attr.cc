// { "name": "keep_dims", "type": "bool", "value": true }
#include "singleop/attr.h"

#include "base/dtype.h"
#include "singleop/words.h"

namespace ge::singleop {
namespace {

std::optional<OpDtype> ReadDtype(const Spot& spot, Notes& notes) {
  const nlohmann::json& scalar = spot.value->scalar;
  if (const auto* name = scalar.get_ptr<const std::string*>()) {
    if (const DataTypeRow* row = FindDataTypeByGeName(*name)) {
      return OpDtype{static_cast<int32_t>(row->dtype)};
    }
  } else if (scalar.is_number_integer()) {
    const std::optional<int64_t> number = ReadInt(spot, notes);
    if (!number) return std::nullopt;
    const auto last = static_cast<int64_t>(DataType::kHifloat4);
    const bool known = *number >= 0 && *number <= last &&
                       (RowOf(static_cast<DataType>(*number)).dtype != DataType::kUndefined ||
                        *number == static_cast<int64_t>(DataType::kUndefined));
    if (known) return OpDtype{static_cast<int32_t>(*number)};
  }
  notes.Fail(ErrorId::kE10032, spot,
             "it is " + spot.value->Described() +
                 ", not a data type such as \"DT_FLOAT\" or its number, 0");
  return std::nullopt;
}

std::optional<uint8_t> ReadBoolByte(const Spot& spot, Notes& notes) {
  return ReadBool(spot, notes);
}

template <typename T, std::optional<T> (*kRead)(const Spot&, Notes&)>
void SetOne(std::string_view name, const Spot& spot, OpAttrs& attrs, Notes& notes) {
  if (std::optional<T> value = kRead(spot, notes)) attrs.Set(name, std::move(*value));
}

template <typename T, std::optional<T> (*kRead)(const Spot&, Notes&)>
void SetList(std::string_view name, const Spot& spot, OpAttrs& attrs, Notes& notes) {
  if (auto values = ReadList<T>(spot, kRead, notes)) attrs.Set(name, std::move(*values));
}

struct Kind {
  std::string_view word;
  void (*set)(std::string_view name, const Spot& spot, OpAttrs& attrs, Notes& notes);
};

constexpr Kind kKinds[] = {
    {"bool", SetOne<bool, ReadBool>},
    {"int", SetOne<int64_t, ReadInt>},
    {"float", SetOne<float, ReadFloat>},
    {"string", SetOne<std::string, ReadText>},
    {"list_bool", SetList<uint8_t, ReadBoolByte>},
    {"list_int", SetList<int64_t, ReadInt>},
    {"list_float", SetList<float, ReadFloat>},
    {"list_string", SetList<std::string, ReadText>},
    {"list_list_int", SetList<std::vector<int64_t>, ReadInts>},
    {"data_type", SetOne<OpDtype, ReadDtype>},
};

const Kind* FindKind(const Spot& spot, const std::string& word, Notes& notes) {
  std::vector<std::string_view> words;
  for (const Kind& kind : kKinds) {
    if (kind.word == word) return &kind;
    words.push_back(kind.word);
  }
  notes.Fail(ErrorId::kE13006, spot,
             "[" + word + "] is no type of attributes" + HintFor(words, word));
  return nullptr;
}

}  // namespace

void ReadAttr(const Spot& spot, OpAttrs& attrs, Notes& notes) {
  if (!spot.value->is_object()) {
    return notes.Fail(ErrorId::kE10032, spot,
                      "it is " + spot.value->Described() + ", not an object");
  }
  WarnOfOtherKeys(spot, {"name", "type", "value"}, notes);
  const std::optional<Spot> name_spot = Required(spot, "name", notes);
  const std::optional<Spot> type_spot = Required(spot, "type", notes);
  const std::optional<Spot> value = Required(spot, "value", notes);
  const std::optional<std::string> name =
      name_spot ? ReadText(*name_spot, notes) : std::optional<std::string>();
  const std::optional<std::string> type =
      type_spot ? ReadText(*type_spot, notes) : std::optional<std::string>();
  if (name && name->empty()) {
    notes.Fail(ErrorId::kE10029, *name_spot, "an attribute needs a name");
  }
  const Kind* const kind = type ? FindKind(*type_spot, *type, notes) : nullptr;
  if (!value || kind == nullptr || !name || name->empty()) return;
  if (!value->value->is_list() && !value->value->is_object() && value->value->scalar.is_null()) {
    notes.Fail(ErrorId::kE10030, *value, "attribute [" + *name + "] needs a value");
  } else if (attrs.Find(*name) != nullptr) {
    notes.Fail(ErrorId::kE13014, *name_spot, "the operator has attribute [" + *name + "] twice");
  } else {
    kind->set(*name, *value, attrs, notes);
  }
}

}  // namespace ge::singleop
