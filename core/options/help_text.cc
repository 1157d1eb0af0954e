#include "options/help_text.h"

#include <algorithm>

#include "options/flag_table.h"

namespace ge {
namespace {

constexpr size_t kColumns = 100;
constexpr size_t kIndent = 8;

struct GroupTitle {
  Group group;
  std::string_view part;  // heading above the group, where a part begins
  std::string_view title;
};

constexpr GroupTitle kGroups[] = {
    {Group::kGeneral, "Basic flags", "General"},
    {Group::kInput, "", "Input"},
    {Group::kOutput, "", "Output"},
    {Group::kTarget, "", "Target"},
    {Group::kFeature, "Advanced flags", "Feature"},
    {Group::kModelTuning, "", "Model Tuning"},
    {Group::kOperatorTuning, "", "Operator Tuning"},
    {Group::kDebug, "", "Debug"},
};

// `text` as indented lines of at most kColumns.
std::string Wrapped(std::string_view text) {
  std::string lines;
  size_t column = kColumns;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column + 1 + word.size() > kColumns) {
      if (!lines.empty()) lines += '\n';
      lines.append(kIndent, ' ');
      column = kIndent;
    } else {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + '\n';
}

std::string WordList(std::string_view choices) {
  std::string list;
  for (const std::string_view word : SplitChoices(choices)) {
    if (word.empty()) continue;
    if (!list.empty()) list += ", ";
    list += word;
  }
  return list;
}

// What stands between this program and the full meaning of the flag.
std::string Restriction(const Flag& flag) {
  const std::string note = flag.note.empty() ? "" : ": " + std::string(flag.note);
  switch (flag.effect) {
    case Effect::kRecorded:
      return " Stored in the model, otherwise without effect here.";
    case Effect::kRefused:
      return " Refused" + note + ".";
    case Effect::kNotBuilt:
      return " Not supported yet" + note + ".";
    case Effect::kWorks:
      break;
  }
  if (flag.built.empty()) return "";
  return " Supported now: " + WordList(flag.built) + ".";
}

std::string FlagText(const Flag& flag) {
  std::string text(flag.help);
  if (flag.list_check != ListCheck::kNone) text += " Values: " + WordList(flag.choices) + ".";
  const std::string fallback =
      flag.default_text.empty() ? DefaultText(flag) : std::string(flag.default_text);
  if (!fallback.empty()) text += " Default: " + fallback + ".";
  const std::string_view short_form = flag.name == "help" ? ", -h" : "";
  return "    " + WithDashes(flag) + "=" + std::string(flag.value) + std::string(short_form) +
         "\n" + Wrapped(text + Restriction(flag));
}

}  // namespace

std::string HelpText(std::string_view usage_name) {
  const std::string name(usage_name);
  std::string text = "Usage: " + name +
                     " --model=FILE --framework=N --output=PATH --soc_version=NAME [FLAG ...]\n"
                     "\n"
                     "Examples:\n"
                     "  " +
                     name +
                     " --model=net.onnx --framework=5 --output=net --soc_version=Ascend310P3 \\\n"
                     "      --precision_mode_v2=origin --input_shape=\"x:1,3,224,224\"\n"
                     "  " +
                     name +
                     " --mode=1 --om=net.om --json=net.json\n"
                     "  " +
                     name +
                     " --mode=6 --om=net.om\n"
                     "\n"
                     "A flag and its value are one word (--flag=value) or two (--flag value). "
                     "Names may be cut as\n"
                     "long as they stay unique. The last value of a repeated flag counts.\n";
  for (const auto& [group, part, title] : kGroups) {
    if (!part.empty()) text.append("\n").append(part).append("\n");
    text.append("\n  ").append(title).append("\n");
    for (const Flag& flag : kFlags) {
      if (flag.group == group) text += FlagText(flag);
    }
  }
  return text;
}

}  // namespace ge
