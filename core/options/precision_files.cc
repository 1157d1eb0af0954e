#include "options/precision_files.h"

#include <algorithm>
#include <fstream>
#include <optional>

#include "options/check_value.h"
#include "options/json_text.h"
#include "options/text.h"

namespace ge {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kTypePrefix = "OpType::";
constexpr std::string_view kInputs = "InputDtype:", kOutputs = "OutputDtype:";

// --- --modify_mixlist ---

const std::vector<std::string_view> kListNames = {"gray-list", "white-list", "black-list"};
const std::vector<std::string_view> kActions = {"to-add", "to-remove"};

class MixListReader {
 public:
  MixListReader(const std::string& path, Status* faults) : path_(path), faults_(faults) {}

  std::vector<MixEdit> Read(const JsonText& text) {
    if (text.fault_byte) {
      Fail("it is no JSON");
      return {};
    }
    for (const std::string& key : text.repeated_keys) Fail("[" + key + "] stands twice");
    const Json& json = text.root;
    if (!json.is_object() || json.empty()) {
      Fail("it holds no object with black-list, white-list or gray-list");
      return {};
    }
    for (const auto& [name, list] : json.items()) {
      const auto found = std::find(kListNames.begin(), kListNames.end(), name);
      if (found == kListNames.end()) {
        Fail("[" + name + "] is none of black-list, white-list, gray-list" +
             DidYouMean(name, kListNames));
      } else if (!list.is_object()) {
        Fail("[" + name + "] is no object with to-add and to-remove");
      } else {
        ReadList(name, kMixLists[found - kListNames.begin()], list);
      }
    }
    return std::move(edits_);
  }

 private:
  void Fail(const std::string& reason) {
    faults_->Add(Error(ErrorId::kE21002,
                       {{"file", path_}, {"parameter", "--modify_mixlist"}, {"errmsg", reason}}));
  }

  void ReadList(const std::string& name, MixList list, const Json& json) {
    for (const auto& [action, types] : json.items()) {
      if (std::find(kActions.begin(), kActions.end(), action) == kActions.end()) {
        Fail("[" + action + "] of [" + name + "] is none of to-add, to-remove" +
             DidYouMean(action, kActions));
        continue;
      }
      if (!types.is_array()) {
        Fail("[" + action + "] of [" + name + "] is no array of operator types");
        continue;
      }
      for (const Json& type : types) {
        if (type.is_string() && !type.get_ref<const std::string&>().empty()) {
          AddEdit(type.get<std::string>(), list, action == "to-add");
        } else {
          Fail("[" + action + "] of [" + name + "] holds " + type.dump() +
               ", which is no operator type");
        }
      }
    }
  }

  void AddEdit(const std::string& type, MixList list, bool adds) {
    auto edit = std::find_if(edits_.begin(), edits_.end(),
                             [&](const MixEdit& known) { return known.type == type; });
    if (edit == edits_.end()) {
      edits_.push_back({.type = type});
      edit = edits_.end() - 1;
    }
    bool& done = adds ? edit->adds : edit->removes;
    if (done) Fail("[" + type + "] is " + (adds ? "added" : "removed") + " twice");
    done = true;
    (adds ? edit->to : edit->from) = list;
    if (edit->adds && edit->removes && edit->to == edit->from) {
      Fail("[" + type + "] is added to a list and removed from it");
    }
  }

  const std::string& path_;
  Status* faults_;
  std::vector<MixEdit> edits_;
};

// --- --customize_dtypes ---

std::optional<DataType> DtypeNamed(std::string_view word) {
  const std::string lower = LowerCase(word);
  std::string upper = "DT_" + std::string(word);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  if (const DataTypeRow* row = FindDataTypeByGeName(upper)) return row->dtype;
  if (lower == "float32") return DataType::kFloat;
  return std::nullopt;
}

class CustomReader {
 public:
  explicit CustomReader(Status* faults) : faults_(faults) {}

  void ReadLine(std::string_view line) {
    CustomDtypes custom;
    std::string_view rest = line;
    custom.is_type = rest.starts_with(kTypePrefix);
    if (custom.is_type) rest.remove_prefix(kTypePrefix.size());
    const std::string_view separator = custom.is_type ? ":" : "::";
    const size_t at = PortsAt(rest, separator);
    if (at == std::string_view::npos) {
      return Fail(ErrorId::kE20101, line,
                  "a line is NAME::InputDtype:T,T,OutputDtype:T or "
                  "OpType::TYPE:InputDtype:T,OutputDtype:T");
    }
    custom.name = rest.substr(0, at);
    rest.remove_prefix(at + separator.size());
    std::string_view inputs, outputs;
    const size_t output_at = rest.find(kOutputs);
    if (rest.starts_with(kInputs)) {
      inputs = rest.substr(0, output_at);
      inputs.remove_prefix(kInputs.size());
      if (output_at != std::string_view::npos) {
        if (!inputs.ends_with(','))
          return Fail(ErrorId::kE20101, line, "a , is missing before OutputDtype");
        inputs.remove_suffix(1);
      }
    }
    if (output_at != std::string_view::npos) outputs = rest.substr(output_at + kOutputs.size());
    custom.inputs = ReadTypes(inputs, line);
    custom.outputs = ReadTypes(outputs, line);
    read.push_back(std::move(custom));
  }

  void Fail(ErrorId id, std::string_view value, std::string_view reason) {
    faults_->Add(
        Error(id, {{"value", value}, {"parameter", "--customize_dtypes"}, {"reason", reason}}));
  }

  std::vector<CustomDtypes> read;

 private:
  // Where the separator between the name and its ports stands.
  static size_t PortsAt(std::string_view text, std::string_view separator) {
    size_t at = std::string_view::npos;
    for (const std::string_view word : {kInputs, kOutputs}) {
      const size_t found = text.find(std::string(separator) + std::string(word));
      at = std::min(at, found);
    }
    const bool is_name = at != 0 && at != std::string_view::npos && text[at - 1] != ':';
    return is_name ? at : std::string_view::npos;
  }

  std::vector<DataType> ReadTypes(std::string_view text, std::string_view line) {
    std::vector<DataType> dtypes;
    if (text.empty()) return dtypes;
    for (const Piece& piece : Split({text, 0}, ',')) {
      const std::string_view word = Trim(piece).text;
      const std::optional<DataType> dtype = DtypeNamed(word);
      if (!dtype && !word.empty()) {
        Fail(ErrorId::kE20003, word, "it is no data type, in line [" + std::string(line) + "]");
      }
      dtypes.push_back(word.empty() ? DataType::kUndefined : dtype.value_or(DataType::kUndefined));
    }
    return dtypes;
  }

  Status* faults_;
};

// Without the line break of other systems.
std::string_view LineText(const std::string& line) {
  std::string_view text = line;
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::vector<MixEdit> ReadMixList(const std::string& path, Status* faults) {
  std::ifstream file(path);
  return MixListReader(path, faults).Read(ReadJsonText(file));
}

void ReadKeepDtype(const std::string& path, PrecisionRequest* request, Status* faults) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::string_view text = Trim({LineText(line), 0}).text;
    if (text.empty()) continue;
    if (!text.starts_with(kTypePrefix)) {
      request->keep_nodes.emplace_back(text);
      continue;
    }
    const std::string_view type = text.substr(kTypePrefix.size());
    if (!type.empty()) {
      request->keep_types.emplace_back(type);
      continue;
    }
    faults->Add(Error(ErrorId::kE10003, {{"value", text},
                                         {"parameter", "--keep_dtype"},
                                         {"reason", "an operator type follows OpType::"}}));
  }
}

std::vector<CustomDtypes> ReadCustomDtypes(const std::string& path, Status* faults) {
  std::ifstream file(path);
  CustomReader reader(faults);
  for (std::string line; std::getline(file, line);) reader.ReadLine(Trim({LineText(line), 0}).text);
  return std::move(reader.read);
}

}  // namespace ge
