#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "options/flag_table.h"

namespace ge {

// " (did you mean [x]?)" for the candidate nearest to `word`; empty when none is near.
std::string DidYouMean(std::string_view word, const std::vector<std::string_view>& candidates);

// Whether `value` is one of the words of the flag's closed list.
bool IsAccepted(const Flag& flag, std::string_view value);

// The error of a value outside the closed list, with the code ATC has for this flag.
Status NotAccepted(const Flag& flag, std::string_view value);

// true, false, or nothing when `value` is no word for either.  An empty value is true.
std::optional<bool> ParseBool(std::string_view value);

// What ATC checks when it meets the value on the command line: closed lists and booleans.
Status CheckValueAtParsing(const Flag& flag, std::string_view value);

}  // namespace ge
