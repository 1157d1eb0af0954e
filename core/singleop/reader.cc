// [ { "op": "Add", "input_desc": [...], "output_desc": [...], "attr": [...] }, ... ]
#include "singleop/reader.h"

#include <algorithm>
#include <map>

#include "base/file.h"
#include "base/shape.h"
#include "base/text.h"
#include "ops/op_impl.h"
#include "singleop/attr.h"
#include "singleop/tensor.h"

namespace ge::singleop {
namespace {

constexpr size_t kLongestName = 128;  // of a file, without suffix

bool IsFileName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  c == '.' || c == '-' || c == '_';
         });
}

// Leaves the sizes open, so that the operator runs with any.
void ForAnySizes(aclop::OpDefinition& definition) {
  for (OpTensorDesc& desc : definition.inputs) {
    if (desc.is_const() || (desc.dims.size() == 1 && desc.dims[0] == kUnknownRankMark)) continue;
    for (int64_t& dim : desc.dims) dim = kUnknownDim;
    desc.shape_range.clear();
  }
  for (OpTensorDesc& desc : definition.outputs) {
    desc.dims = {};
    desc.dims.resize(1, kUnknownRankMark);
    desc.shape_range.clear();
  }
}

class Reader {
 public:
  explicit Reader(Notes& notes) : notes_(notes) {}

  std::vector<SingleOp> Read(const JsonValue& file) {
    const Spot root = {&file, ""};
    if (file.is_list()) {
      for (size_t i = 0; i < file.items.size(); ++i) ReadEntry(root.Item(i));
    } else if (file.is_object()) {
      for (const auto& [name, entry] : file.members) ReadEntry(*root.Member(name));
    }
    if (!found_) {
      notes_.Fail(ErrorId::kE10032, root, "it is no list that describes an operator");
    }
    return std::move(ops_);
  }

 private:
  void ReadEntry(const Spot& spot) {
    if (spot.value->is_object() && ReadFlag(spot)) return;
    found_ = true;
    if (!spot.value->is_object()) {
      return notes_.Fail(ErrorId::kE10026, spot,
                         "it is " + spot.value->Described() + ", not an operator");
    }
    WarnOfOtherKeys(spot, {"op", "name", "input_desc", "output_desc", "attr", "compile_flag"},
                    notes_);
    SingleOp op;
    op.where = notes_.Where(spot);
    op.definition.type = ReadType(spot);
    const std::string name = TextAt(spot, "name", notes_);
    op.node_name = name.empty() ? op.definition.type : name;
    std::string file_name = std::to_string(ops_.size()) + "_" + op.definition.type;
    const Table row = OpRow(op.definition.type);
    if (const std::optional<Spot> list = spot.Member("input_desc")) {
      op.definition.inputs = ReadTensors(*list, false, row.Find("inputs"), file_name);
    }
    if (const std::optional<Spot> list = spot.Member("output_desc")) {
      op.definition.outputs = ReadTensors(*list, true, row.Find("outputs"), file_name);
    }
    if (const std::optional<Spot> attrs = spot.Member("attr")) {
      for (const Spot& attr : ReadItems(*attrs, notes_).value_or(std::vector<Spot>())) {
        ReadAttr(attr, op.definition.attrs, notes_);
      }
    }
    const std::string short_name = name.substr(0, kLongestName);
    op.file_name =
        (IsFileName(short_name) ? short_name : file_name.substr(0, kLongestName)) + ".om";
    CheckFileName(spot, op);
    if (any_sizes_) ForAnySizes(op.definition);
    ops_.push_back(std::move(op));
  }

  // Whether the entry is a header, whose flag holds for all entries behind it.
  bool ReadFlag(const Spot& spot) {
    const std::optional<Spot> member = spot.Member("compile_flag");
    const std::optional<int64_t> flag = member ? ReadInt(*member, notes_) : 0;
    if (flag && *flag != 0 && *flag != 1) {
      notes_.Fail(ErrorId::kE10032, *member, "it is " + std::to_string(*flag) + ", not 0 or 1");
    }
    if (flag != 1) return false;
    any_sizes_ = true;
    for (const auto& [name, value] : spot.value->members) {
      if (name == "compile_flag") continue;
      notes_.Warn(*spot.Member(name),
                  "an entry with [compile_flag] 1 is no operator, but holds for those behind it");
    }
    return true;
  }

  std::string ReadType(const Spot& spot) {
    const std::optional<Spot> member = spot.Member("op");
    std::string type = TextAt(spot, "op", notes_);
    const bool empty = !member || (type.empty() && member->value->scalar.is_string());
    if (empty)
      notes_.Fail(ErrorId::kE10026, spot, "[op] is " + std::string(member ? "empty" : "missing"));
    return type;
  }

  std::vector<OpTensorDesc> ReadTensors(const Spot& list, bool is_output, Table ports,
                                        std::string& file_name) {
    std::vector<OpTensorDesc> descs;
    const auto items = ReadItems(list, notes_).value_or(std::vector<Spot>());
    for (const Spot& item : items) {
      std::optional<Tensor> tensor = ReadTensor(item, is_output, notes_);
      if (!tensor) continue;
      file_name += tensor->name_part;
      descs.push_back(std::move(tensor->desc));
    }
    NumberGroups(descs);
    if (descs.size() == items.size()) CheckOrder(items, descs, ports);
    return descs;
  }

  // The tensors of a group are called x0, x1, ...
  static void NumberGroups(std::vector<OpTensorDesc>& descs) {
    std::map<std::string, size_t> next;
    for (OpTensorDesc& desc : descs) {
      if (desc.dynamic_input.empty()) continue;
      desc.name = desc.dynamic_input + std::to_string(next[desc.dynamic_input]++);
    }
  }

  // Tensors stand in the order of the prototype.  One that has the name of another port shows that
  // they do not.
  void CheckOrder(const std::vector<Spot>& items, const std::vector<OpTensorDesc>& descs,
                  Table ports) {
    std::vector<std::string> names;
    for (uint32_t i = 0; i < ports.size(); ++i) {
      if (ports[i].Find("kind").AsString() == "dynamic") break;
      names.emplace_back(ports[i].Find("name").AsString());
    }
    for (size_t i = 0; i < std::min(descs.size(), names.size()); ++i) {
      const auto port = std::find(names.begin(), names.end(), descs[i].name);
      if (port == names.end() || *port == names[i]) continue;
      notes_.Fail(ErrorId::kE13014, items[i],
                  "its name is [" + *port + "], but here stands [" + names[i] +
                      "]; tensors are in the order of the prototype, " + Join(names, ", "));
    }
  }

  void CheckFileName(const Spot& spot, const SingleOp& op) {
    const auto [first, added] = file_names_.emplace(op.file_name, op.where);
    if (added) return;
    notes_.Fail(ErrorId::kE13014, spot.Member("name").value_or(spot),
                "its model would be [" + op.file_name + "], as that of " + first->second);
  }

  Notes& notes_;
  std::vector<SingleOp> ops_;
  bool found_ = false;  // an entry that is no header
  bool any_sizes_ = false;
  std::map<std::string, std::string> file_names_;  // and where the operator is
};

}  // namespace

Result<SingleOps> ReadSingleOps(const std::string& path) {
  Result<std::shared_ptr<const MappedFile>> file = MappedFile::Open(path);
  if (!file.ok()) {
    return Error(ErrorId::kE10024,
                 {{"value", path}, {"errmsg", file.status().problems().front().message}});
  }
  GE_ASSIGN(const JsonValue json, ParseJson((*file)->bytes(), path));
  Notes notes(path);
  SingleOps read;
  read.ops = Reader(notes).Read(json);
  GE_TRY(notes.TakeFaults());
  read.warnings = notes.TakeWarnings();
  return read;
}

}  // namespace ge::singleop
