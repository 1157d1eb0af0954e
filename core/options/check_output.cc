// Checks of --output and of the flags that describe the outputs of the model.

#include <algorithm>

#include "options/checks.h"
#include "options/out_nodes.h"
#include "options/precision_flags.h"
#include "options/text.h"

namespace ge {
namespace {

constexpr std::string_view kOutputTypes = "FP32|FP16|UINT8|INT8|HIF8|HIF4|FP8E5M2|FP8E4M3FN";

std::string_view SuffixOf(int32_t mode) {
  return mode == 7 ? ".om2" : mode == 30 ? ".exeom" : ".om";
}

void RefuseOutputType(std::string_view value, std::string_view reason, Findings* findings) {
  findings->Fail(ErrorId::kE10001,
                 {{"value", value}, {"parameter", "--output_type"}, {"reason", reason}});
}

void CheckTypeWord(std::string_view word, Findings* findings) {
  const std::vector<std::string_view> types = SplitChoices(kOutputTypes);
  if (std::find(types.begin(), types.end(), word) != types.end()) {
    if (OutputDtype(word) != DataType::kUndefined) return;
    return findings->Fail(ErrorId::kE10055,
                          {{"reason", "--output_type=" + std::string(word) +
                                          " is not supported yet: the host engine has no such "
                                          "type."}});
  }
  RefuseOutputType(word, "accepted are " + AcceptedText(kOutputTypes) + DidYouMean(word, types),
                   findings);
}

// node:index:TYPE, for an output that is in --out_nodes.
void CheckTypeItem(std::string_view item, const std::vector<OutNode>& outputs, Findings* findings) {
  const std::vector<Piece> parts = Split({item, 0}, ':');
  if (parts.size() != 3 || !IsDigits(parts[1].text)) {
    return RefuseOutputType(item, "an item is node:index:TYPE", findings);
  }
  CheckTypeWord(parts[2].text, findings);
  const std::optional<int64_t> index = ParseInt64(parts[1].text);
  if (!index) {
    return findings->Fail(ErrorId::kE10013, {{"value", parts[1].text},
                                             {"parameter", "--output_type"},
                                             {"reason", "an index has at most 63 bits"},
                                             {"excerpt", ""}});
  }
  const bool known = std::any_of(outputs.begin(), outputs.end(), [&](const OutNode& output) {
    return output.node == parts[0].text && output.index == *index;
  });
  if (!known) RefuseOutputType(item, "this output is not in --out_nodes", findings);
}

}  // namespace

void CheckOutput(const Options& options, Findings* findings) {
  if (options.mode == 3) return;
  CheckRequired<&Options::output>(options, findings);
  const std::string& output = TextOf(options, &Options::output);
  if (output.empty()) return;
  if (output.size() > kLongestOutput) {
    findings->Fail(ErrorId::kE10021,
                   {{"parameter", "--output"}, {"size", std::to_string(kLongestOutput)}});
    return;
  }
  const std::string file = output + std::string(SuffixOf(options.mode));
  if (const std::string reason = WhyUnwritable(file); !reason.empty()) {
    findings->Fail(ErrorId::kE10001,
                   {{"value", output}, {"parameter", "--output"}, {"reason", reason}});
  }
  if (output.back() == '/') {
    findings->Fail(ErrorId::kE10022, {{"filename", output}, {"parameter", "--output"}});
  }
}

void CheckOutNodes(const Options& options, Findings* findings) {
  const std::string& text = TextOf(options, &Options::out_nodes);
  if (!text.empty()) findings->faults.Add(ParseOutNodes(text).faults);
}

void CheckOutputType(const Options& options, Findings* findings) {
  const std::string& text = TextOf(options, &Options::output_type);
  if (text.empty()) return;
  if (text.find(':') == std::string::npos) return CheckTypeWord(text, findings);
  const std::vector<OutNode> outputs = ParseOutNodes(options.out_nodes).nodes;
  for (const Piece& item : SplitList(text, ';')) {
    CheckTypeItem(Trim(item).text, outputs, findings);
  }
}

void CheckLayoutLists(const Options& options, Findings* findings) {
  for (const auto field :
       {&Options::is_input_adjust_hw_layout, &Options::is_output_adjust_hw_layout}) {
    const std::string& text = TextOf(options, field);
    if (text.empty()) continue;
    for (const Piece& item : Split({text, 0}, ',')) {
      const std::string_view word = Trim(item).text;
      if (word == "true" || word == "false") continue;
      findings->Fail(ErrorId::kE10005, {{"value", word},
                                        {"parameter", WithDashes(RowOf(field))},
                                        {"hint", DidYouMean(word, {"true", "false"})}});
    }
  }
}

}  // namespace ge
