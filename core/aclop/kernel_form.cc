#include "aclop/kernel_form.h"

#include "aclop/composed_functions.h"
#include "ops/op_impl.h"

namespace ge::aclop {
namespace {

constexpr std::string_view kNoopWithoutAxes = "noop_with_empty_axes";

bool IsInteger(Table attr) {
  const std::string_view type = attr.Find("type").AsString();
  return type == "Int" || type == "ListInt";
}

// Position among the inputs of `type`, or -1.
int64_t InputIndex(const std::string& type, std::string_view name) {
  const Table inputs = OpRow(type).Find("inputs");
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].Find("name").AsString() == name) return i;
  }
  return -1;
}

Value ConstOf(Graph& graph, std::string_view name, const Attr& attr) {
  if (const auto* list = std::get_if<std::vector<int64_t>>(&attr)) {
    return AddIntConst(graph, name, *list, {static_cast<int64_t>(list->size())});
  }
  return AddIntConst(graph, name, {std::get<int64_t>(attr)}, Shape());
}

bool SameNames(Table a, Table b, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (a[i].Find("name").AsString() != b[i].Find("name").AsString()) return false;
  }
  return true;
}

// Whether `later` has all ports and attributes of `row`, and others only where they are optional.
bool Covers(Table later, Table row) {
  const Table inputs = row.Find("inputs"), more = later.Find("inputs");
  const Table outputs = row.Find("outputs");
  if (more.size() < inputs.size() || !SameNames(inputs, more, inputs.size()) ||
      outputs.size() != later.Find("outputs").size() ||
      !SameNames(outputs, later.Find("outputs"), outputs.size())) {
    return false;
  }
  for (uint32_t i = inputs.size(); i < more.size(); ++i) {
    if (more[i].Find("kind").AsString() != "optional") return false;
  }
  const Table attrs = row.Find("attrs"), later_attrs = later.Find("attrs");
  for (uint32_t i = 0; i < attrs.size(); ++i) {
    if (later_attrs.Find(attrs.KeyAt(i)).Find("type").AsString() !=
        attrs[i].Find("type").AsString()) {
      return false;
    }
  }
  for (uint32_t i = 0; i < later_attrs.size(); ++i) {
    const bool required = later_attrs[i].Find("required").AsBool();
    if (required && !attrs.Has(later_attrs.KeyAt(i))) return false;
  }
  return true;
}

std::string LaterForm(const std::string& type) {
  for (char version = '2'; version <= '9'; ++version) {
    std::string later = type + "V" + version;
    if (FindOpImpl(later) != nullptr && Covers(OpRow(later), OpRow(type))) return later;
  }
  return "";
}

}  // namespace

std::string KernelForm(const std::string& type) {
  if (std::string later = LaterForm(type); !later.empty()) return later;
  if (!type.ends_with('D')) return "";
  const std::string form = type.substr(0, type.size() - 1);
  if (FindOpImpl(form) == nullptr) return "";
  const Table row = OpRow(type), wanted = OpRow(form).Find("inputs");
  uint32_t taken = 0;
  for (uint32_t i = 0; i < wanted.size(); ++i) {
    const std::string_view name = wanted[i].Find("name").AsString();
    if (InputIndex(type, name) >= 0) {
      ++taken;
    } else if (!IsInteger(row.Find("attrs").Find(name))) {
      return "";
    }
  }
  return taken == row.Find("inputs").size() ? form : "";
}

void UseKernelForm(const std::string& type, const std::string& form, Graph& graph,
                   std::vector<Value>& values, AttrMap& attrs) {
  const Table wanted = OpRow(form).Find("inputs");
  std::vector<Value> inputs;
  for (uint32_t i = 0; i < wanted.size(); ++i) {
    const std::string_view name = wanted[i].Find("name").AsString();
    if (const int64_t index = InputIndex(type, name); index >= 0) {
      const auto position = static_cast<size_t>(index);
      inputs.push_back(position < values.size() ? values[position] : Value{});
    } else if (const Attr* attr = attrs.Find(name)) {
      inputs.push_back(ConstOf(graph, name, *attr));
      attrs.Remove(name);
    } else {
      inputs.push_back({});
    }
  }
  values = std::move(inputs);
  // No axes mean all of them where they are an attribute.
  if (OpRow(form).Find("attrs").Has(kNoopWithoutAxes) && attrs.Find(kNoopWithoutAxes) == nullptr) {
    attrs.Set(kNoopWithoutAxes, false);
  }
}

}  // namespace ge::aclop
