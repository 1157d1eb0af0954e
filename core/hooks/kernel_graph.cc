// Kernel file (JSON) -> Graph:   Data, Const -> nodes -> NetOutput
#include "hooks/kernel_graph.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "ops/op_impl.h"

namespace ge::hooks {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostRank = 64;
constexpr size_t kMostOutputs = 1024;  // of one node
constexpr int64_t kVersion = 1;

Status Damaged(const std::string& value, std::string reason) {
  return Error(ErrorId::kE10041,
               {{"parameter", "kernel"}, {"value", value}, {"reason", std::move(reason)}});
}

// Which kind of attribute a prototype asks for, by the name it has in a kernel file.
struct AttrKind {
  std::string_view name;       // in the file
  std::string_view prototype;  // in tables/ops.json
};
constexpr AttrKind kAttrKinds[] = {
    {"bool", "Bool"},       {"int", "Int"},          {"dtype", "Type"},   {"float", "Float"},
    {"str", "String"},      {"bools", "ListBool"},   {"ints", "ListInt"}, {"floats", "ListFloat"},
    {"strs", "ListString"}, {"lists", "ListListInt"}};

// Attributes that operators take and their prototypes lack.
struct OwnAttr {
  std::string_view type, name, kind;
};
constexpr OwnAttr kOwnAttrs[] = {{"GatherNd", "batch_dims", "int"},
                                 {"TensorScatterUpdate", "reduction", "str"}};

template <typename T>
bool Holds(const Json& json) {
  if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
  if constexpr (std::is_same_v<T, int64_t>) {
    return json.is_number_integer() &&
           (!json.is_number_unsigned() || json.get<uint64_t>() <= uint64_t{INT64_MAX});
  }
  if constexpr (std::is_same_v<T, float>) return json.is_number();
  if constexpr (std::is_same_v<T, std::string>) return json.is_string();
}

template <typename T>
std::optional<T> One(const Json& json) {
  if (!Holds<T>(json)) return std::nullopt;
  return json.get<T>();
}

template <typename T>
std::optional<std::vector<T>> Many(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<T> values;
  for (const Json& item : json) {
    if (!Holds<T>(item)) return std::nullopt;
    values.push_back(item.get<T>());
  }
  return values;
}

std::optional<std::vector<std::vector<int64_t>>> Lists(const Json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<std::vector<int64_t>> values;
  for (const Json& item : json) {
    std::optional<std::vector<int64_t>> row = Many<int64_t>(item);
    if (!row) return std::nullopt;
    values.push_back(std::move(*row));
  }
  return values;
}

template <typename T>
std::optional<Attr> AsAttr(std::optional<T> value) {
  return value ? std::optional<Attr>(std::move(*value)) : std::nullopt;
}

// kUndefined when it is no name of a type whose elements have a size.
DataType DtypeOf(const Json& name) {
  for (int number = 0; name.is_string() && number < static_cast<int>(DataType::kHifloat4);
       ++number) {
    const DataTypeRow& row = RowOf(static_cast<DataType>(number));
    if (row.bits != 0 && row.user_name == name.get<std::string>()) return row.dtype;
  }
  return DataType::kUndefined;
}

std::optional<Attr> DtypeAttr(const Json& json) {
  const DataType dtype = DtypeOf(json);
  return dtype == DataType::kUndefined ? std::nullopt : std::optional<Attr>(dtype);
}

std::optional<Attr> AttrOf(std::string_view kind, const Json& json) {
  if (kind == "bool") return AsAttr(One<bool>(json));
  if (kind == "int") return AsAttr(One<int64_t>(json));
  if (kind == "float") return AsAttr(One<float>(json));
  if (kind == "str") return AsAttr(One<std::string>(json));
  if (kind == "dtype") return DtypeAttr(json);
  if (kind == "bools") return AsAttr(Many<bool>(json));
  if (kind == "ints") return AsAttr(Many<int64_t>(json));
  if (kind == "floats") return AsAttr(Many<float>(json));
  if (kind == "strs") return AsAttr(Many<std::string>(json));
  return kind == "lists" ? AsAttr(Lists(json)) : std::nullopt;
}

bool IsAttrOf(const std::string& type, std::string_view name, std::string_view kind) {
  const std::string_view prototype = OpRow(type).Find("attrs").Find(name).Find("type").AsString();
  for (const AttrKind& row : kAttrKinds) {
    if (row.name == kind && row.prototype == prototype) return true;
  }
  for (const OwnAttr& row : kOwnAttrs) {
    if (row.type == type && row.name == name && row.kind == kind) return true;
  }
  return false;
}

std::optional<uint8_t> HexDigit(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint8_t>(c - 'a' + 10);
  return std::nullopt;
}

std::optional<std::vector<uint8_t>> FromHex(const std::string& text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<uint8_t> bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const auto high = HexDigit(text[i]), low = HexDigit(text[i + 1]);
    if (!high || !low) return std::nullopt;
    bytes.push_back(static_cast<uint8_t>(*high << 4 | *low));
  }
  return bytes;
}

class Reader {
 public:
  Reader(const Json& json, const std::string& value)
      : json_(json), value_(value), graph_(std::make_unique<Graph>("kernel")) {}

  Result<Kernel> Read() {
    GE_TRY(ReadHead());
    GE_TRY(ForEach(json_, "inputs", [&](const Json& row, size_t i) { return AddInput(row, i); }));
    GE_TRY(
        ForEach(json_, "constants", [&](const Json& row, size_t i) { return AddConst(row, i); }));
    GE_TRY(ForEach(json_, "nodes", [&](const Json& row, size_t i) { return AddNode(row, i); }));
    GE_TRY(AddOutputs());
    return Kernel{json_["name"].get<std::string>(), std::move(graph_)};
  }

 private:
  Status Fail(std::string reason) const { return Damaged(value_, std::move(reason)); }

  const Json& Member(const Json& object, const char* key) const {
    static const Json kNothing;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : kNothing;
  }

  Status ReadHead() const {
    if (Member(json_, "format") != "pyatc-kernel") {
      return Fail("it is not a kernel that the built-in engine recorded");
    }
    const Json& version = Member(json_, "version");
    if (version != kVersion) {
      return Fail("its version is [" + version.dump() + "]; this program reads " +
                  std::to_string(kVersion));
    }
    if (!Member(json_, "name").is_string()) return Fail("it has no name");
    return Status::Ok();
  }

  template <typename Fn>
  Status ForEach(const Json& object, const char* key, Fn fn) const {
    const Json& rows = Member(object, key);
    if (!rows.is_array()) return Fail(std::string("it has no list of ") + key);
    for (size_t i = 0; i < rows.size(); ++i) GE_TRY(fn(rows[i], i));
    return Status::Ok();
  }

  Result<TensorDesc> ReadDesc(const Json& row, const std::string& where) const {
    TensorDesc desc;
    desc.dtype = DtypeOf(Member(row, "dtype"));
    if (desc.dtype == DataType::kUndefined) return Fail(where + " has no data type");
    const auto dims = Many<int64_t>(Member(row, "shape"));
    if (!dims || dims->size() > kMostRank) return Fail(where + " has no shape");
    for (const int64_t dim : *dims) {
      if (dim < kUnknownDim) return Fail(where + " has the dim " + std::to_string(dim));
    }
    desc.shape = Shape(std::span<const int64_t>(*dims));
    return desc;
  }

  Status AddInput(const Json& row, size_t i) {
    const std::string where = "input " + std::to_string(i);
    GE_ASSIGN(TensorDesc desc, ReadDesc(row, where));
    Node* const data = graph_->Add("Data", "input" + std::to_string(i), {});
    data->attrs().Set("index", static_cast<int64_t>(i));
    data->output(0) = std::move(desc);
    tensors_.push_back(data->out());
    return Status::Ok();
  }

  Status AddConst(const Json& row, size_t i) {
    const std::string where = "constant " + std::to_string(i);
    GE_ASSIGN(TensorDesc desc, ReadDesc(row, where));
    const std::optional<int64_t> bytes = BytesOf(desc);
    const Json& hex = Member(row, "hex");
    auto value = hex.is_string() ? FromHex(hex.get<std::string>()) : std::nullopt;
    if (!value || !bytes || static_cast<size_t>(*bytes) != value->size()) {
      return Fail(where + " has not the bytes of its shape");
    }
    const std::string name = "constant" + std::to_string(i);
    tensors_.push_back(
        graph_->AddConst(name, std::move(desc), Buffer::Own(std::move(*value)))->out());
    return Status::Ok();
  }

  Result<Value> TensorAt(const Json& number, const std::string& where) const {
    const auto index = One<int64_t>(number);
    if (!index || *index < 0 || static_cast<size_t>(*index) >= tensors_.size()) {
      return Fail(where + " reads [" + number.dump() + "], which is no tensor before it");
    }
    return tensors_[static_cast<size_t>(*index)];
  }

  Result<std::vector<Value>> ReadInputs(const Json& row, const std::string& where) const {
    std::vector<Value> inputs;
    GE_TRY(ForEach(row, "inputs", [&](const Json& number, size_t) {
      if (number == -1) {
        inputs.emplace_back();
        return Status::Ok();
      }
      GE_ASSIGN(const Value input, TensorAt(number, where));
      inputs.push_back(input);
      return Status::Ok();
    }));
    return inputs;
  }

  Status ReadAttrs(const Json& row, const std::string& where, Node& node) const {
    const Json& attrs = Member(row, "attrs");
    if (!attrs.is_object()) return Fail(where + " has no attributes");
    for (const auto& [name, kinds] : attrs.items()) {
      const bool one = kinds.is_object() && kinds.size() == 1;
      const std::string kind = one ? kinds.begin().key() : std::string();
      std::optional<Attr> attr = one ? AttrOf(kind, kinds.begin().value()) : std::nullopt;
      if (!attr || !IsAttrOf(node.type(), name, kind)) {
        return Fail(where + " has an attribute [" + name + "] that its type has not");
      }
      node.attrs().Set(name, std::move(*attr));
    }
    return Status::Ok();
  }

  Status AddNode(const Json& row, size_t i) {
    const Json& type = Member(row, "type");
    const std::string name = type.is_string() ? type.get<std::string>() : std::string();
    const std::string where = "node " + std::to_string(i) + " (" + name + ")";
    const OpImpl* const impl = FindOpImpl(name);
    if (impl == nullptr || impl->infer == nullptr || (impl->run_host == nullptr && !impl->view)) {
      return Fail(where + " is no operator that the host engine runs");
    }
    const Json& stated = Member(row, "outputs");
    if (!stated.is_array() || stated.empty() || stated.size() > kMostOutputs) {
      return Fail(where + " has no outputs");
    }
    GE_ASSIGN(const std::vector<Value> inputs, ReadInputs(row, where));
    Node* const node = graph_->Add(name, name + "_" + std::to_string(i), inputs, stated.size());
    GE_TRY(ReadAttrs(row, where, *node));
    GE_TRY(Infer(*node, where));
    return ForEach(row, "outputs", [&](const Json& output, size_t k) {
      GE_ASSIGN(const TensorDesc desc, ReadDesc(output, where));
      tensors_.push_back(node->out(static_cast<int32_t>(k)));
      return CheckDesc(desc, node->output(k), where + " output " + std::to_string(k));
    });
  }

  Status Infer(Node& node, const std::string& where) const {
    const Status status = InferNode(node);
    if (status.ok()) return status;
    std::string text = status.problems().front().message;
    if (text.ends_with('.')) text.pop_back();
    return Fail(where + ": " + text);
  }

  Status CheckDesc(const TensorDesc& stated, const TensorDesc& inferred,
                   const std::string& where) const {
    bool same = stated.dtype == inferred.dtype;
    if (!inferred.shape.unknown_rank()) {
      same = same && stated.shape.rank() == inferred.shape.rank();
      for (size_t axis = 0; same && axis < stated.shape.rank(); ++axis) {
        const int64_t a = stated.shape[axis], b = inferred.shape[axis];
        same = a == b || a == kUnknownDim || b == kUnknownDim;
      }
    }
    if (same) return Status::Ok();
    return Fail(where + " is recorded as " + std::string(UserName(stated.dtype)) +
                stated.shape.ToString() + ", but is " + std::string(UserName(inferred.dtype)) +
                inferred.shape.ToString());
  }

  Status AddOutputs() {
    std::vector<Value> results;
    GE_TRY(ForEach(json_, "outputs", [&](const Json& number, size_t i) {
      GE_ASSIGN(const Value value, TensorAt(number, "output " + std::to_string(i)));
      results.push_back(value);
      graph_->output_names().push_back("output" + std::to_string(i));
      return Status::Ok();
    }));
    if (results.empty()) return Fail("it has no outputs");
    graph_->Add("NetOutput", "Node_Output", results, 0);
    return Status::Ok();
  }

  const Json& json_;
  const std::string& value_;
  std::unique_ptr<Graph> graph_;
  std::vector<Value> tensors_;
};

}  // namespace

Result<Kernel> ReadKernel(std::string_view text, const std::string& value) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Damaged(value, "it is not JSON");
  return Reader(json, value).Read();
}

Result<Shape> ShapeForKernel(const Shape& recorded, const Shape& given, const std::string& value) {
  const auto fits = [&](const Shape& shape) {
    for (size_t axis = 0; axis < recorded.rank(); ++axis) {
      if (recorded[axis] != kUnknownDim && recorded[axis] != shape[axis]) return false;
    }
    return true;
  };
  const auto refuse = [&] {
    return Damaged(value, "it was compiled for a tensor of shape " + recorded.ToString() +
                              ", but gets " + given.ToString());
  };
  if (given.rank() == recorded.rank() && fits(given)) return given;
  const std::optional<int64_t> elements = given.elements();
  if (!elements) return refuse();
  int64_t known = 1;
  std::vector<size_t> open;
  for (size_t axis = 0; axis < recorded.rank(); ++axis) {
    if (recorded[axis] == kUnknownDim) open.push_back(axis);
    if (recorded[axis] > 0 && __builtin_mul_overflow(known, recorded[axis], &known)) {
      return refuse();
    }
    if (recorded[axis] == 0) known = 0;
  }
  Shape shape = recorded;
  if (open.empty()) return known == *elements ? Result<Shape>(shape) : refuse();
  if (open.size() == 1 && known > 0 && *elements % known == 0) {
    shape[open.front()] = *elements / known;
    return shape;
  }
  if (given.rank() > recorded.rank()) return refuse();
  const size_t missing = recorded.rank() - given.rank();
  for (size_t axis = 0; axis < recorded.rank(); ++axis) {
    shape[axis] = axis < missing ? 1 : given[axis - missing];
  }
  return fits(shape) ? Result<Shape>(shape) : refuse();
}

}  // namespace ge::hooks
