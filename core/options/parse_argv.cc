#include "options/parse_argv.h"

#include <getopt.h>

#include <algorithm>
#include <string_view>

#include "base/suggest.h"
#include "options/check_value.h"
#include "options/flag_table.h"
#include "options/rewrite_word.h"
#include "options/text.h"

namespace ge {
namespace {

// Values that getopt_long returns for the flag at an index; beyond those of single letters.
constexpr int kFirstFlagValue = 256;

std::vector<option> LongOptions() {
  std::vector<option> options;
  for (size_t i = 0; i < kFlags.size(); ++i) {
    const bool is_bool = std::holds_alternative<bool Options::*>(kFlags[i].field);
    options.push_back({kFlags[i].name.data(), is_bool ? optional_argument : required_argument,
                       nullptr, kFirstFlagValue + static_cast<int>(i)});
  }
  const int help = kFirstFlagValue + static_cast<int>(IndexOf(&Options::help));
  options.push_back({"h", optional_argument, nullptr, help});
  options.push_back({nullptr, 0, nullptr, 0});
  return options;
}

// "--name=value" -> "name"
std::string_view NameIn(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
  return word.substr(0, word.find('='));
}

class Parser {
 public:
  explicit Parser(std::vector<char*> words) : words_(std::move(words)) {}

  ParsedArgv Run() {
    const std::vector<option> options = LongOptions();
    optind = 0;  // makes glibc forget an earlier, unfinished run
    opterr = 0;
    const int count = static_cast<int>(words_.size());
    int found = 0;
    while ((found = ::getopt_long(count, words_.data(), ":h", options.data(), nullptr)) != -1) {
      if (found == '?') {
        UnknownFlag();
      } else if (found == ':') {
        MissingValue();
      } else {
        const size_t index =
            found == 'h' ? IndexOf(&Options::help) : static_cast<size_t>(found - kFirstFlagValue);
        Take(index, optarg == nullptr ? "" : optarg);
      }
      if (parsed_.help) return std::move(parsed_);
    }
    StrayWords();
    return std::move(parsed_);
  }

  ParsedArgv Run(const std::vector<Setting>& settings) {
    for (const Setting& setting : settings) {
      const auto flag = std::find_if(kFlags.begin(), kFlags.end(),
                                     [&](const Flag& row) { return row.name == setting.name; });
      if (flag != kFlags.end()) Take(IndexOf(flag->field), setting.value);
    }
    return std::move(parsed_);
  }

 private:
  void Take(size_t index, std::string_view value) {
    const Flag& flag = kFlags[index];
    const bool first = !parsed_.options.given[index];
    parsed_.options.given.set(index);
    Status status = CheckValueAtParsing(flag, value);
    if (!status.ok()) {
      parsed_.value_faults.Add(std::move(status));
      parsed_.options.faulty.set(index);
      return;
    }
    if (flag.registered && !first) return;
    if (const auto* text = std::get_if<std::string Options::*>(&flag.field)) {
      parsed_.options.** text = value;
    } else if (const auto* number = std::get_if<int32_t Options::*>(&flag.field)) {
      // Every integer flag has a closed list, so the value is one of its words.
      parsed_.options.** number = static_cast<int32_t>(*ParseInt64(value));
    } else {
      parsed_.options.*std::get<bool Options::*>(flag.field) = *ParseBool(value);
    }
    parsed_.help = parsed_.options.help && parsed_.ok();
  }

  void UnknownFlag() {
    const std::string_view word = words_[optind - 1];
    if (optopt != 0) {  // a letter behind a single dash
      parsed_.syntax_faults.push_back(std::string("unknown flag -") + static_cast<char>(optopt));
    } else {
      const std::string_view name = NameIn(word);
      std::string line = "unknown flag --" + std::string(name);
      if (const std::vector<size_t> longer = FlagsWithPrefix(name); !longer.empty()) {
        line += ", which could be";
        for (const size_t index : longer) line += " " + WithDashes(kFlags[index]);
      } else if (const Flag* nearest = NearestFlag(name); nearest != nullptr) {
        line += ", did you mean " + WithDashes(*nearest) + "?";
      }
      parsed_.syntax_faults.push_back(std::move(line));
    }
    // The word after it was most likely its value.
    if (word.find('=') == std::string_view::npos && static_cast<size_t>(optind) < words_.size() &&
        words_[optind][0] != '-') {
      likely_values_.push_back(words_[optind]);
    }
  }

  void MissingValue() {
    const Flag& flag = kFlags[static_cast<size_t>(optopt - kFirstFlagValue)];
    parsed_.options.faulty.set(IndexOf(flag.field));
    parsed_.syntax_faults.push_back("flag --" + std::string(NameIn(words_[optind - 1])) +
                                    " needs a value: " + std::string(flag.help));
  }

  void StrayWords() {
    for (size_t i = static_cast<size_t>(optind); i < words_.size(); ++i) {
      if (std::find(likely_values_.begin(), likely_values_.end(), words_[i]) !=
          likely_values_.end()) {
        continue;
      }
      parsed_.syntax_faults.push_back("[" + std::string(words_[i]) + "] belongs to no flag");
    }
  }

  // What is wrong with a flag that the user may have meant is reported with the word that stands
  // for it; so these flags count as faulty.
  std::vector<size_t> FlagsWithPrefix(std::string_view name) {
    std::vector<size_t> found;
    for (size_t i = 0; i < kFlags.size(); ++i) {
      if (name.empty() || !kFlags[i].name.starts_with(name)) continue;
      parsed_.options.faulty.set(i);
      if (kFlags[i].group != Group::kHidden) found.push_back(i);
    }
    return found;
  }

  const Flag* NearestFlag(std::string_view name) {
    std::vector<std::string_view> names;
    for (const Flag& flag : kFlags) {
      if (flag.group != Group::kHidden) names.push_back(flag.name);
    }
    const std::string_view nearest = Nearest(name, names);
    if (nearest.empty()) return nullptr;
    const auto flag = std::find_if(kFlags.begin(), kFlags.end(),
                                   [&](const Flag& row) { return row.name == nearest; });
    parsed_.options.faulty.set(IndexOf(flag->field));
    return flag;
  }

  std::vector<char*> words_;
  std::vector<const char*> likely_values_;
  ParsedArgv parsed_;
};

}  // namespace

ParsedArgv ParseArgv(int32_t argc, char* const argv[]) {
  std::vector<std::string> rewritten = {"atc"};
  for (int32_t i = 1; i < argc && argv != nullptr && argv[i] != nullptr; ++i) {
    rewritten.push_back(RewriteWord(argv[i]));
  }
  std::vector<char*> words;
  for (std::string& word : rewritten) words.push_back(word.data());
  return Parser(std::move(words)).Run();
}

ParsedArgv ParseSettings(const std::vector<Setting>& settings) {
  return Parser({}).Run(settings);
}

}  // namespace ge
