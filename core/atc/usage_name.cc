#include "atc/usage_name.h"

namespace ge {

std::string_view UsageName(int32_t argc, const char* const argv[]) {
  if (argc <= 0 || argv == nullptr || argv[0] == nullptr) return "atc";
  const std::string_view program = argv[0];
  if (program.ends_with(" -m ge.pyatc")) return "python3 -m ge.pyatc";
  const size_t slash = program.find_last_of("/\\");
  const bool is_pyatc = program.substr(slash == std::string_view::npos ? 0 : slash + 1) == "pyatc";
  return is_pyatc ? "pyatc" : "atc";
}

}  // namespace ge
