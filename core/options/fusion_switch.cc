#include "options/fusion_switch.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/hook_paths.h"
#include "options/check_value.h"
#include "options/json_text.h"
#include "options/paths.h"
#include "options/text.h"

namespace ge {
namespace {

constexpr std::string_view kParameter = "--fusion_switch_file";
constexpr std::string_view kAll = "ALL";
constexpr std::string_view kGraphPart = "GraphFusion", kUbPart = "UBFusion";

// true, false, or nothing for another word.
std::optional<bool> ParseSwitch(std::string_view word) {
  if (word == "on") return true;
  if (word == "off") return false;
  return std::nullopt;
}

bool IsOwnPass(std::string_view name) {
  const std::vector<PassInfo> passes = api::AllPasses();
  return std::any_of(passes.begin(), passes.end(),
                     [&](const PassInfo& pass) { return pass.name == name; });
}

// Whether ATC or this compiler has something of that name to switch.  Graph passes of the user have
// names that are only known once they were imported.
bool IsKnown(std::string_view name) {
  return api::IsGraphRule(name) || api::IsUbRule(name) || IsOwnPass(name) ||
         !ReadHookPaths().passes.empty();
}

std::string UnknownName(std::string_view name) {
  return "no pass has this name" + DidYouMean(name, api::GraphRules());
}

class FileReader {
 public:
  explicit FileReader(const std::string& path) : path_(path) {}

  FusionSwitchFile Read() {
    if (const std::string reason = WhyUnreadable(path_); !reason.empty()) {
      FailFile(reason);
      return std::move(result_);
    }
    std::ifstream file(path_, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    const std::string text = content.str();
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) {
      FailFile("it is empty");
    } else if (text[first] == '{') {
      ReadJson(text);
    } else {
      ReadLines(text);
    }
    return std::move(result_);
  }

 private:
  void FailFile(std::string_view reason) {
    result_.faults.Add(
        Error(ErrorId::kE21001, {{"file", path_}, {"parameter", kParameter}, {"errmsg", reason}}));
  }
  void FailContent(std::string_view content, std::string_view reason) {
    result_.faults.Add(Error(ErrorId::kE20003,
                             {{"value", content}, {"parameter", kParameter}, {"reason", reason}}));
  }

  void Switch(std::string_view part, const std::string& name, std::string_view word) {
    std::string key = std::string(part) + ":" + name;
    const std::optional<bool> value = ParseSwitch(word);
    if (!value) {
      FailContent(name + ":" + std::string(word), "a switch is on or off");
    } else if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) {
      FailContent(name, "it is switched twice");
    } else if (name != kAll && !IsKnown(name)) {
      FailContent(name, UnknownName(name));
    } else if (part == kGraphPart) {
      if (name == kAll) {
        result_.graph.all = value;
      } else {
        result_.graph.named.emplace_back(name, *value);
      }
    }
    seen_.push_back(std::move(key));
  }

  void ReadLines(const std::string& text) {
    for (const Piece& line : Split({text, 0}, '\n')) {
      const std::string_view rule = Stripped(line.text);
      if (rule.empty()) continue;
      const size_t colon = rule.find(':');
      if (colon == std::string_view::npos) {
        FailContent(rule, "a line is RULE:on or RULE:off");
        continue;
      }
      Switch(kGraphPart, std::string(Stripped(rule.substr(0, colon))),
             Stripped(rule.substr(colon + 1)));
    }
  }

  static std::string_view Stripped(std::string_view text) {
    while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    return Trim({text, 0}).text;
  }

  void ReadJson(const std::string& text) {
    std::istringstream stream(text);
    const JsonText json = ReadJsonText(stream);
    if (json.fault_byte) {
      FailContent(BaseName(path_),
                  "it is not valid JSON at byte " + std::to_string(*json.fault_byte));
      return;
    }
    const nlohmann::ordered_json& root = json.root;
    const auto parts = root.find("Switch");
    if (root.size() != 1 || parts == root.end() || !parts->is_object()) {
      FailContent(BaseName(path_), "its one key is Switch, which holds GraphFusion and UBFusion");
      return;
    }
    for (const auto& [part, rules] : parts->items()) {
      if ((part != kGraphPart && part != kUbPart) || !rules.is_object()) {
        FailContent(part, "it is not GraphFusion or UBFusion with rules in it");
        continue;
      }
      for (const auto& [name, word] : rules.items()) {
        Switch(part, name, word.is_string() ? word.get<std::string>() : word.dump());
      }
    }
    for (const std::string& key : json.repeated_keys) FailContent(key, "it is switched twice");
  }

  const std::string& path_;
  FusionSwitchFile result_;
  std::vector<std::string> seen_;  // PART:NAME
};

}  // namespace

FusionSwitchFile ReadFusionSwitchFile(const std::string& path) {
  return FileReader(path).Read();
}

OptimizationSwitch ParseOptimizationSwitch(std::string_view text) {
  OptimizationSwitch result;
  for (const Piece& piece : SplitList(text, ';')) {
    const std::string item(Trim(piece).text);
    if (item.empty()) continue;
    const size_t colon = item.find(':');
    const std::string name = item.substr(0, colon);
    const std::optional<bool> value =
        colon == std::string::npos ? std::nullopt : ParseSwitch(item.substr(colon + 1));
    if (name.empty() || !value) {
      result.skipped.push_back("[" + item + "] is not PASS:on or PASS:off");
    } else if (!IsKnown(name)) {
      result.skipped.push_back("[" + name + "]: " + UnknownName(name));
    } else {
      result.graph.named.emplace_back(name, *value);
    }
  }
  return result;
}

}  // namespace ge
