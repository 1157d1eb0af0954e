#include "aclop/composed_op.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "aclop/expression_text.h"
#include "aclop/op_attrs.h"
#include "kernels/elementwise.h"
#include "kernels/widened.h"
#include "ops/op_impl.h"

namespace ge::aclop {
namespace {

// Attributes that do not change results on the host.  `dtype` is that of ArgMaxD and ArgMinD, whose
// results are int32 whatever it says.
constexpr std::string_view kWithoutEffect[] = {
    "N",          "complex_conj", "dtype",       "enable_hf32",      "is_preprocessed", "message",
    "num_output", "opImplMode",   "use_locking", "validate_indices", "validate_shape"};

Table Expressions(const std::string& type) {
  return Table::Root("composed_ops").Find(type);
}

std::vector<uint8_t> BytesOfInts(const std::vector<int64_t>& list) {
  std::vector<uint8_t> bytes(list.size() * sizeof(int64_t));
  if (!list.empty()) std::memcpy(bytes.data(), list.data(), bytes.size());
  return bytes;
}

// Evaluates the expressions of one operator, from left to right.
class Composer {
 public:
  Composer(const OpDefinition& definition, const std::string& name, Graph& graph,
           const std::vector<Value>& inputs, const AttrMap& attrs)
      : definition_(definition),
        name_(name),
        graph_(graph),
        inputs_(inputs),
        attrs_(attrs),
        row_(OpRow(definition.type)) {}

  Result<std::vector<Value>> Run() {
    const Table expressions = Expressions(definition_.type);
    std::vector<std::string_view> texts;  // per output; one for all of a dynamic port
    if (expressions.is_string()) texts.push_back(expressions.AsString());
    if (!expressions.is_string()) {
      for (uint32_t i = 0; i < expressions.size(); ++i) texts.push_back(expressions[i].AsString());
    }
    GE_TRY(CheckAttrs(texts));
    FindDtypes(texts);
    const bool many = row_.Find("outputs")[0].Find("kind").AsString() == "dynamic";
    const size_t outputs = many ? definition_.outputs.size() : texts.size();
    std::vector<Value> results;
    for (output_ = 0; output_ < outputs; ++output_) {
      text_ = {texts[many ? 0 : output_]};
      GE_ASSIGN(Value result, Expression());
      GE_ASSIGN(result, Narrowed(result));
      results.push_back(result);
    }
    return results;
  }

 private:
  Status Fail(std::string reason) const {
    return Error(ErrorId::kE14001,
                 {{"opname", name_}, {"optype", definition_.type}, {"reason", std::move(reason)}});
  }

  Attr AttrOf(std::string_view name) const {
    const Attr* given = attrs_.Find(name);
    return given != nullptr ? *given : DefaultAttr(row_.Find("attrs").Find(name));
  }

  Status CheckAttrs(const std::vector<std::string_view>& texts) const {
    Status faults;
    for (const auto& [name, value] : attrs_) {
      const Table row = row_.Find("attrs").Find(name);
      const bool is_named = std::any_of(texts.begin(), texts.end(), [&](std::string_view text) {
        return text.find("@" + name) != std::string_view::npos;
      });
      const bool has_effect = std::find(std::begin(kWithoutEffect), std::end(kWithoutEffect),
                                        name) == std::end(kWithoutEffect);
      if (row.is_null() || is_named || !has_effect || value == DefaultAttr(row)) continue;
      faults.Add(Fail("attribute " + name + " has another value than its default, which is what " +
                      "the host engine has a kernel for"));
    }
    return faults;
  }

  // The dtype of constants, and that of results where they are computed in another one.
  void FindDtypes(const std::vector<std::string_view>& texts) {
    const Table ports = row_.Find("inputs"), output = row_.Find("outputs")[0];
    for (uint32_t i = 0; i < ports.size() && dtype_ == DataType::kUndefined; ++i) {
      const bool same = ports[i].Find("dtypes").AsString() == output.Find("dtypes").AsString();
      const size_t at = PortBegin(i);
      if (same && at < inputs_.size() && inputs_[at]) dtype_ = inputs_[at].desc().dtype;
    }
    if (dtype_ == DataType::kUndefined && !inputs_.empty() && inputs_[0] &&
        IsFloat(inputs_[0].desc().dtype)) {
      dtype_ = inputs_[0].desc().dtype;
    }
    if (dtype_ == DataType::kUndefined) {
      const int32_t asked = definition_.outputs.empty() ? -1 : definition_.outputs[0].dtype;
      const bool known = asked >= 0 && asked <= static_cast<int32_t>(DataType::kHifloat4);
      dtype_ = known ? static_cast<DataType>(asked) : DataType::kFloat;
    }
    size_t calls = 0;
    bool has_float_attr = false;
    for (const std::string_view text : texts) {
      calls += static_cast<size_t>(std::count(text.begin(), text.end(), '('));
      for (uint32_t i = 0; i < row_.Find("attrs").size(); ++i) {
        has_float_attr |=
            row_.Find("attrs")[i].Find("type").AsString() == "Float" &&
            text.find(" @" + std::string(row_.Find("attrs").KeyAt(i))) != std::string_view::npos;
      }
    }
    if (calls == texts.size() && !has_float_attr) return;
    bool has_wide = false;
    for (const Value& value : inputs_) {
      if (!value) continue;
      has_wide |= value.desc().dtype == DataType::kFloat;
      if (kernels::IsNarrowFloat(value.desc().dtype)) narrow_ = value.desc().dtype;
    }
    widens_ = narrow_ != DataType::kUndefined;
    if (!widens_) return;
    if (has_wide) narrow_ = DataType::kFloat;
    dtype_ = DataType::kFloat;
  }

  // Position of the first value of a port; one port at most is dynamic.
  size_t PortBegin(uint32_t port) const {
    const Table ports = row_.Find("inputs");
    for (uint32_t i = 0; i < port; ++i) {
      if (ports[i].Find("kind").AsString() == "dynamic") {
        return inputs_.size() - (ports.size() - port);
      }
    }
    return port;
  }

  // --- values ---

  Result<Value> Expression() {
    if (!text_.Take("@")) return Term();
    const std::string_view name = text_.Word();
    if (!text_.Take("?")) return ConstOf(name, AttrOf(name));
    const bool first = std::get<bool>(AttrOf(name));
    const bool skipped = skips_;
    skips_ = skipped || !first;
    GE_ASSIGN(const Value then, Expression());
    text_.Take(":");
    skips_ = skipped || first;
    GE_ASSIGN(const Value otherwise, Expression());
    skips_ = skipped;
    return first ? then : otherwise;
  }

  Result<Value> Term() {
    if (text_.Take("[")) return ListConst(text_.Ints());
    if (text_.Take("#@")) {
      const Attr count = AttrOf(text_.Word());
      if (std::get<int64_t>(count) != static_cast<int64_t>(definition_.outputs.size())) {
        return Fail("it has " + std::to_string(definition_.outputs.size()) + " outputs; its " +
                    "attribute says " + std::to_string(std::get<int64_t>(count)));
      }
      return ListConst({static_cast<int64_t>(output_)}, Shape());
    }
    if (text_.IsNumber()) return ScalarConst(text_.Number(), "a constant");
    const std::string_view word = text_.Word();
    if (word == "_") return Value{};
    if (text_.Take("(")) return Call(word);
    return Input(word);
  }

  Result<Value> Input(std::string_view name) {
    const Table ports = row_.Find("inputs");
    for (uint32_t i = 0; i < ports.size(); ++i) {
      if (ports[i].Find("name").AsString() != name) continue;
      const size_t at = PortBegin(i) + copy_;
      return Widened(at < inputs_.size() ? inputs_[at] : Value{});
    }
    return Fail("its expression has no port " + std::string(name));
  }

  Result<Value> Call(std::string_view type) {  // behind (
    const bool is_whole = ++depth_ == 1;
    std::vector<Value> inputs;
    AttrMap attrs;
    while (!text_.Take(")")) {
      const ExpressionText before = text_;
      const std::string_view word = text_.Word();
      if (!word.empty() && text_.Take("=")) {
        GE_ASSIGN(Attr value, AttrValue(word, type));
        attrs.Set(word, std::move(value));
      } else {
        text_ = before;
        GE_TRY(Argument(inputs));
      }
      text_.Take(",");
    }
    --depth_;
    size_t outputs = 1, index = 0;
    if (text_.Take("/")) {
      outputs = static_cast<size_t>(text_.Int());
      text_.Take(".");
      index = static_cast<size_t>(text_.Int());
    }
    if (skips_) return Value{};
    Node* const node = graph_.Add(
        type, is_whole && output_ == 0 ? name_ : name_ + "/" + std::string(type), inputs, outputs);
    node->attrs() = std::move(attrs);
    GE_TRY(InferNode(*node));
    return node->out(static_cast<int32_t>(index));
  }

  // An argument, or what "..." repeats for every input of the dynamic port.
  Status Argument(std::vector<Value>& values) {
    const ExpressionText begin = text_;
    GE_ASSIGN(const Value first, Expression());
    values.push_back(first);
    if (!text_.Take("...")) return Status::Ok();
    const size_t copies = inputs_.size() + 1 - row_.Find("inputs").size();
    for (copy_ = 1; copy_ < copies; ++copy_) {
      text_ = begin;
      GE_ASSIGN(const Value value, Expression());
      values.push_back(value);
      text_.Take("...");
    }
    copy_ = 0;
    return Status::Ok();
  }

  // The value of an attribute `name` of an operator `type`, in the kind that it has there.
  Result<Attr> AttrValue(std::string_view name, std::string_view type) {
    const std::string_view kind = OpRow(type).Find("attrs").Find(name).Find("type").AsString();
    if (text_.Take("@")) {
      Attr value = AttrOf(text_.Word());
      const auto* number = std::get_if<int64_t>(&value);
      if (kind == "ListInt" && number != nullptr) return Attr(std::vector<int64_t>{*number});
      return value;
    }
    if (text_.Take("$")) {
      const std::string port(text_.Word());
      const size_t copy = std::exchange(copy_, 0);
      GE_ASSIGN(const Value value, Input(port));
      copy_ = copy;
      const std::optional<std::vector<int64_t>> ints = value ? ConstInts(value) : std::nullopt;
      if (!ints || (kind == "Int" && ints->size() != 1)) {
        return Fail("input " + port + " must be a constant" +
                    (kind == "Int" ? " of one element" : ""));
      }
      return kind == "Int" ? Attr(ints->front()) : Attr(*ints);
    }
    if (text_.Take("[")) return Attr(text_.Ints());
    if (text_.Take("true")) return Attr(true);
    if (text_.Take("false")) return Attr(false);
    if (text_.Take("int32")) return Attr(DataType::kInt32);
    if (kind == "Float") return Attr(static_cast<float>(text_.Number()));
    return Attr(text_.Int());
  }

  Result<Value> ConstOf(std::string_view name, const Attr& attr) {
    const std::string what = "attribute " + std::string(name);
    if (const auto* number = std::get_if<float>(&attr)) {
      return ScalarConst(static_cast<double>(*number), what);
    }
    if (const auto* number = std::get_if<int64_t>(&attr)) return ListConst({*number}, Shape());
    if (const auto* list = std::get_if<std::vector<int64_t>>(&attr)) return ListConst(*list);
    std::vector<int64_t> flat;
    const auto& rows = std::get<std::vector<std::vector<int64_t>>>(attr);
    for (const std::vector<int64_t>& row : rows) {
      if (row.size() != rows.front().size()) return Fail(what + " has rows of several lengths");
      flat.insert(flat.end(), row.begin(), row.end());
    }
    const size_t columns = rows.empty() ? 0 : rows.front().size();
    return ListConst(flat, {static_cast<int64_t>(rows.size()), static_cast<int64_t>(columns)});
  }

  Value ListConst(const std::vector<int64_t>& list) {
    return ListConst(list, {static_cast<int64_t>(list.size())});
  }
  Value ListConst(const std::vector<int64_t>& list, const Shape& shape) {
    return graph_
        .AddConst(name_ + "/Const", {DataType::kInt64, Format::kND, shape},
                  Buffer::Own(BytesOfInts(list)))
        ->out();
  }

  Result<Value> ScalarConst(double number, const std::string& what) {
    std::vector<uint8_t> bytes;
    bool fits = true;
    const bool known = VisitNumbers(dtype_, [&]<typename T>(T) {
      const T value = TruncatedTo<T>(number);
      if constexpr (kIsIntegral<T>) fits = static_cast<double>(value) == number;
      bytes.resize(sizeof(T));
      std::memcpy(bytes.data(), &value, sizeof(T));
    });
    if (!fits) {
      return Fail(what + " is " + std::to_string(number) + ", but its tensors are of " +
                  std::string(UserName(dtype_)));
    }
    if (!known) {
      return Fail("data type " + std::string(UserName(dtype_)) +
                  " is one of its prototype, but the host engine has no kernel for it");
    }
    return graph_
        .AddConst(name_ + "/Const", {dtype_, Format::kND, Shape()}, Buffer::Own(std::move(bytes)))
        ->out();
  }

  // --- dtypes ---

  Result<Value> CastTo(Value value, DataType dtype) {
    Node* const cast = graph_.Add("Cast", name_ + "/Cast", {value});
    cast->attrs().Set("dst_type", static_cast<int64_t>(dtype));
    GE_TRY(InferNode(*cast));
    return cast->out();
  }

  Result<Value> Widened(Value value) {
    if (!widens_ || !value || !kernels::IsNarrowFloat(value.desc().dtype)) return value;
    const auto [made, is_new] = wide_.try_emplace({value.node, value.index});
    if (is_new) {
      GE_ASSIGN(made->second, CastTo(value, DataType::kFloat));
    }
    return made->second;
  }

  Result<Value> Narrowed(Value value) {
    if (!widens_ || narrow_ == DataType::kFloat || value.desc().dtype != DataType::kFloat) {
      return value;
    }
    const std::string_view dtypes =
        row_.Find("outputs")[static_cast<uint32_t>(output_)].Find("dtypes").AsString();
    const bool any = dtypes.find('$') != std::string_view::npos;
    if (!any && dtypes.find(RowOf(narrow_).short_name) == std::string_view::npos) return value;
    return CastTo(value, narrow_);
  }

  const OpDefinition& definition_;
  const std::string& name_;
  Graph& graph_;
  const std::vector<Value>& inputs_;
  const AttrMap& attrs_;
  const Table row_;

  ExpressionText text_;
  size_t output_ = 0;   // that is computed
  size_t copy_ = 0;     // of the dynamic port
  size_t depth_ = 0;    // of calls
  bool skips_ = false;  // in the branch that is not taken

  DataType dtype_ = DataType::kUndefined;
  bool widens_ = false;
  DataType narrow_ = DataType::kUndefined;
  std::map<std::pair<Node*, int32_t>, Value> wide_;
};

}  // namespace

bool IsComposed(const std::string& type) {
  return !Expressions(type).is_null();
}

Result<std::vector<Value>> Compose(const OpDefinition& definition, const std::string& name,
                                   Graph& graph, const std::vector<Value>& inputs,
                                   const AttrMap& attrs) {
  return Composer(definition, name, graph, inputs, attrs).Run();
}

}  // namespace ge::aclop
