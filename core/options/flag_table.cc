#include "options/flag_table.h"

#include <algorithm>
#include <charconv>

namespace ge {

size_t IndexOf(FlagField field) {
  const auto row = std::find_if(kFlags.begin(), kFlags.end(),
                                [&](const Flag& flag) { return flag.field == field; });
  return static_cast<size_t>(row - kFlags.begin());
}

const Flag& RowOf(FlagField field) {
  return kFlags[IndexOf(field)];
}

std::string WithDashes(const Flag& flag) {
  return "--" + std::string(flag.name);
}

bool IsGiven(const Options& options, FlagField field) {
  return options.given[IndexOf(field)];
}

bool IsFaulty(const Options& options, FlagField field) {
  return options.faulty[IndexOf(field)];
}

std::string ValueText(const Options& options, const Flag& flag) {
  if (const auto* field = std::get_if<bool Options::*>(&flag.field)) {
    return options.**field ? "true" : "false";
  }
  if (const auto* field = std::get_if<int32_t Options::*>(&flag.field)) {
    return std::to_string(options.**field);
  }
  return options.*std::get<std::string Options::*>(flag.field);
}

std::string DefaultText(const Flag& flag) {
  static const Options kDefaults;
  return ValueText(kDefaults, flag);
}

std::vector<std::string_view> SplitChoices(std::string_view choices) {
  std::vector<std::string_view> words;
  while (!choices.empty()) {
    const size_t end = std::min(choices.find('|'), choices.size());
    words.push_back(choices.substr(0, end));
    choices.remove_prefix(std::min(end + 1, choices.size()));
  }
  return words;
}

std::string AcceptedText(std::string_view choices) {
  std::vector<std::string_view> words = SplitChoices(choices);
  const auto number = [](std::string_view word) {
    int value = -1;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
  };
  std::sort(words.begin(), words.end(), [&](std::string_view a, std::string_view b) {
    return std::pair(number(a), a) < std::pair(number(b), b);
  });
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    text.append("[").append(word).append("]");
  }
  return text;
}

Modes ModeBit(int32_t mode) {
  switch (mode) {
    case 0:
      return kMode0;
    case 1:
      return kMode1;
    case 3:
      return kMode3;
    case 5:
      return kMode5;
    case 6:
      return kMode6;
    case 7:
      return kMode7;
    case 30:
      return kMode30;
    default:
      return 0;
  }
}

Modes ModeBit(const Options& options) {
  return options.singleop.empty() ? ModeBit(options.mode) : kSingleOp;
}

}  // namespace ge
