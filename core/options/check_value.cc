#include "options/check_value.h"

#include <algorithm>
#include <array>

#include "base/suggest.h"
#include "options/text.h"

namespace ge {

std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view nearest = Nearest(word, candidates);
  return nearest.empty() ? "" : " (did you mean [" + std::string(nearest) + "]?)";
}

bool IsAccepted(const Flag& flag, std::string_view value) {
  const std::vector<std::string_view> choices = SplitChoices(flag.choices);
  return std::find(choices.begin(), choices.end(), value) != choices.end();
}

Status NotAccepted(const Flag& flag, std::string_view value) {
  const std::string accepted = AcceptedText(flag.choices);
  const std::string hint = DidYouMean(value, SplitChoices(flag.choices));
  const std::string reason = "accepted are " + accepted + hint;
  const std::string fault = "has the unknown value [" + std::string(value) + "]" + hint;
  const std::string parameter = WithDashes(flag);
  // A superset: each code uses its part of it.
  return Error(flag.choice_error, {{"value", value},
                                   {"parameter", parameter},
                                   {"reason", reason},
                                   {"accepted", accepted},
                                   {"hint", hint},
                                   {"loglevel", value},
                                   {"fault", fault},
                                   {"support", accepted}});
}

std::optional<bool> ParseBool(std::string_view value) {
  constexpr std::array<std::string_view, 6> kTrue = {"", "1", "t", "true", "y", "yes"};
  constexpr std::array<std::string_view, 5> kFalse = {"0", "f", "false", "n", "no"};
  const std::string lower = LowerCase(value);
  if (std::find(kTrue.begin(), kTrue.end(), lower) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), lower) != kFalse.end()) return false;
  return std::nullopt;
}

Status CheckValueAtParsing(const Flag& flag, std::string_view value) {
  if (flag.list_check == ListCheck::kAtParsing && !IsAccepted(flag, value)) {
    return NotAccepted(flag, value);
  }
  if (std::holds_alternative<bool Options::*>(flag.field) && !ParseBool(value)) {
    return Error(ErrorId::kE10003,
                 {{"value", value},
                  {"parameter", WithDashes(flag)},
                  {"reason", "accepted are [1 t true y yes] and [0 f false n no]"}});
  }
  return Status::Ok();
}

}  // namespace ge
