#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

// Texts as the files and variables have them that users write for operators in Python.
namespace ge::hooks {

std::string Trimmed(std::string_view text);  // of blanks at both ends
std::string Lower(std::string_view text);    // ASCII letters
// Pieces between separators, without empty ones.
std::vector<std::string> Split(std::string_view text, char separator);
// E40003 when the file cannot be read.
Result<std::string> ReadText(const std::string& path);

}  // namespace ge::hooks
