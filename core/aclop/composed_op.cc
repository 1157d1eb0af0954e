#include "aclop/composed_op.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "aclop/composed_functions.h"
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
    "N",        "bias_from_blob", "check_ids",        "complex_conj",
    "dtype",    "enable_hf32",    "is_preprocessed",  "message",
    "num_axes", "num_output",     "opImplMode",       "scale_from_blob",
    "stable",   "use_locking",    "validate_indices", "validate_shape"};

Table Expressions(const std::string& type) {
  return Table::Root("composed_ops").Find(type);
}

constexpr std::string_view kIs = " := ";

// An expression with a name, and what it has been computed to.
struct NamedValue {
  std::string_view text;
  std::optional<Value> value;
};

// Of an attribute that is compared with a word.
std::string Text(const Attr& attr) {
  if (const auto* text = std::get_if<std::string>(&attr)) return *text;
  return std::to_string(std::get<int64_t>(attr));
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
    std::vector<std::string_view> all, texts;  // texts: per output; one for all of a dynamic port
    if (expressions.is_string()) all.push_back(expressions.AsString());
    if (!expressions.is_string()) {
      for (uint32_t i = 0; i < expressions.size(); ++i) all.push_back(expressions[i].AsString());
    }
    for (const std::string_view text : all) {
      const size_t at = text.find(kIs);
      if (at == std::string_view::npos) {
        texts.push_back(text);
      } else {
        named_[text.substr(0, at)] = {text.substr(at + kIs.size()), std::nullopt};
      }
    }
    GE_TRY(CheckAttrs(all));
    FindDtypes(all);
    const bool many = row_.Find("outputs")[0].Find("kind").AsString() == "dynamic";
    const size_t outputs = many ? definition_.outputs.size() : texts.size();
    std::vector<Value> results;
    for (output_ = 0; output_ < outputs; ++output_) {
      text_ = {texts[many ? 0 : output_]};
      const bool has_dtype = text_.left.starts_with("Cast(");
      GE_ASSIGN(Value result, Expression());
      if (!has_dtype) {
        GE_ASSIGN(result, Narrowed(result));
      }
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
        return text.find("@" + name) != std::string_view::npos || FunctionReads(text, name);
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
    if (calls == texts.size() && !has_float_attr && !AsksWide(0)) return;
    for (const Value& value : inputs_) {
      if (value && kernels::IsNarrowFloat(value.desc().dtype)) narrow_ = value.desc().dtype;
    }
    widens_ = narrow_ != DataType::kUndefined;
    if (widens_) dtype_ = DataType::kFloat;
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
    if (text_.Take("has(")) {
      const bool given = IsGiven(text_.Word());
      text_.Take(")");
      text_.Take("?");
      return Either(given);
    }
    if (!text_.Take("@")) return Term();
    const std::string_view name = text_.Word();
    if (text_.Take("=")) {
      const bool equal = Text(AttrOf(name)) == text_.Word();
      text_.Take("?");
      return Either(equal);
    }
    if (text_.Take("?")) return Either(std::get<bool>(AttrOf(name)));
    return ConstOf(name, AttrOf(name));
  }

  // The first of "a : b", or the second.
  Result<Value> Either(bool first) {
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
    if (word == "none") {
      if (skips_) return Value{};
      return Fail("an attribute has a value that the host engine has no kernel for");
    }
    if (text_.Take("(")) return Call(word);
    return Input(word);
  }

  Result<Value> Input(std::string_view name) {
    if (const auto found = named_.find(name); found != named_.end()) return Named(found->second);
    const Table ports = row_.Find("inputs");
    for (uint32_t i = 0; i < ports.size(); ++i) {
      if (ports[i].Find("name").AsString() != name) continue;
      const size_t at = PortBegin(i) + copy_;
      return Widened(at < inputs_.size() ? inputs_[at] : Value{});
    }
    return Fail("its expression has no port " + std::string(name));
  }

  // Computed once, where it is used first.
  Result<Value> Named(NamedValue& named) {
    if (skips_) return Value{};
    if (!named.value) {
      const ExpressionText before = std::exchange(text_, {named.text});
      ++depth_;
      GE_ASSIGN(named.value, Expression());
      --depth_;
      text_ = before;
    }
    return *named.value;
  }

  bool IsGiven(std::string_view port) const {
    const Table ports = row_.Find("inputs");
    for (uint32_t i = 0; i < ports.size(); ++i) {
      if (ports[i].Find("name").AsString() != port) continue;
      const size_t at = PortBegin(i);
      return at < inputs_.size() && inputs_[at];
    }
    return false;
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
    GE_TRY(CheckGiven(type, inputs));
    if (const ComposedFunction* function = FindComposedFunction(type)) {
      const Format format = inputs_.empty() || !inputs_[0] ? Format::kND : inputs_[0].desc().format;
      return function->run({graph_, name_, definition_.type, attrs_, row_, format}, inputs);
    }
    Node* const node = graph_.Add(
        type, is_whole && output_ == 0 ? name_ : name_ + "/" + std::string(type), inputs, outputs);
    node->attrs() = std::move(attrs);
    GE_TRY(InferNode(*node));
    return node->out(static_cast<int32_t>(index));
  }

  // An optional input is needed where another operator or a function needs it.
  Status CheckGiven(std::string_view type, const std::vector<Value>& inputs) const {
    const ComposedFunction* function = FindComposedFunction(type);
    const Table ports = OpRow(type).Find("inputs");
    for (uint32_t i = 0; i < inputs.size(); ++i) {
      const bool needed = function != nullptr
                              ? i < function->needed
                              : i >= ports.size() || ports[i].Find("kind").AsString() != "optional";
      if (needed && !inputs[i]) {
        return Fail("an optional input is left out that these attributes need");
      }
    }
    return Status::Ok();
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
      const std::string_view attr = text_.Word();
      Attr value = AttrOf(attr);
      if (text_.Take("?")) return EitherAttr(std::get<bool>(value), name, type);
      if (text_.Take("=")) {
        const bool equal = Text(value) == text_.Word();
        text_.Take("?");
        return EitherAttr(equal, name, type);
      }
      const auto* number = std::get_if<int64_t>(&value);
      if (kind == "ListInt" && number != nullptr) return Attr(std::vector<int64_t>{*number});
      const auto* dtype = std::get_if<DataType>(&value);
      if (kind == "Int" && dtype != nullptr) return Attr(static_cast<int64_t>(*dtype));
      return value;
    }
    if (text_.Take("$")) {
      const ExpressionText begin = text_;
      const size_t copy = std::exchange(copy_, 0);
      GE_ASSIGN(const Value value, Term());
      copy_ = copy;
      if (skips_) return Attr(int64_t{0});
      const std::optional<std::vector<int64_t>> ints = value ? ConstInts(value) : std::nullopt;
      if (!ints || (kind == "Int" && ints->size() != 1)) {
        const size_t read = begin.left.size() - text_.left.size();
        return Fail("input " + std::string(begin.left.substr(0, read)) + " must be a constant" +
                    (kind == "Int" ? " of one element" : ""));
      }
      return kind == "Int" ? Attr(ints->front()) : Attr(*ints);
    }
    if (text_.Take("[")) return Attr(text_.Ints());
    if (kind == "String") return Attr(std::string(text_.Word()));
    if (text_.Take("true")) return Attr(true);
    if (text_.Take("false")) return Attr(false);
    if (text_.Take("int32")) return Attr(DataType::kInt32);
    if (kind == "Float") return Attr(static_cast<float>(text_.Number()));
    return Attr(text_.Int());
  }

  // The first of "a : b", or the second.
  Result<Attr> EitherAttr(bool first, std::string_view name, std::string_view type) {
    const bool skipped = skips_;
    skips_ = skipped || !first;
    GE_ASSIGN(Attr then, AttrValue(name, type));
    text_.Take(":");
    skips_ = skipped || first;
    GE_ASSIGN(Attr otherwise, AttrValue(name, type));
    skips_ = skipped;
    return first ? std::move(then) : std::move(otherwise);
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
    return AddIntConst(graph_, name_ + "/Const", list, shape);
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
    cast->output(0).format = value.desc().format;
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

  bool AsksWide(size_t output) const {
    return output < definition_.outputs.size() &&
           definition_.outputs[output].dtype == static_cast<int32_t>(DataType::kFloat);
  }

  // A result is as wide as the inputs whose ports take the same dtypes.  Where there is none, it is
  // what was asked for, if its port has that.
  Result<Value> Narrowed(Value value) {
    if (!widens_ || value.desc().dtype != DataType::kFloat) return value;
    const std::string_view dtypes =
        row_.Find("outputs")[static_cast<uint32_t>(output_)].Find("dtypes").AsString();
    const bool any = dtypes.find('$') != std::string_view::npos;
    const Table ports = row_.Find("inputs");
    DataType found = DataType::kUndefined;
    for (uint32_t i = 0; i < ports.size(); ++i) {
      const size_t at = PortBegin(i);
      if (at >= inputs_.size() || !inputs_[at]) continue;
      const DataType dtype = inputs_[at].desc().dtype;
      if ((!any && ports[i].Find("dtypes").AsString() != dtypes) || !IsFloat(dtype)) continue;
      if (dtype == DataType::kFloat) return value;
      found = dtype;
    }
    if (found != DataType::kUndefined) return CastTo(value, found);
    const bool narrows = dtypes.find(RowOf(narrow_).short_name) != std::string_view::npos;
    return AsksWide(output_) || !narrows ? Result<Value>(value) : CastTo(value, narrow_);
  }

  const OpDefinition& definition_;
  const std::string& name_;
  Graph& graph_;
  const std::vector<Value>& inputs_;
  const AttrMap& attrs_;
  const Table row_;

  std::map<std::string_view, NamedValue> named_;
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
