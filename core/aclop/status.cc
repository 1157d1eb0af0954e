#include "aclop/status.h"

namespace ge {
namespace aclop {

AclStatus Fail(int32_t code, const Status& status) {
  std::string text;
  for (const Problem& problem : status.problems()) {
    if (!text.empty()) text += "\n";
    text += std::string(CodeOf(problem)) + ": " + problem.message;
    if (!problem.solution.empty()) text += " " + problem.solution;
  }
  return {code, std::move(text)};
}

}  // namespace aclop

namespace api {

std::string_view AclCodeName(int32_t code) {
  struct Row {
    int32_t number;
    std::string_view name;
  };
#define ACL_CODE_ROW(name, number) {number, #name},
  static constexpr Row kRows[] = {ACL_CODES_OF_CALLS(ACL_CODE_ROW) ACL_CODES_OF_GE(ACL_CODE_ROW)
                                      ACL_CODES_OF_RT(ACL_CODE_ROW)};
#undef ACL_CODE_ROW
  if (code == ACL_SUCCESS) return "ACL_SUCCESS";
  for (const Row& row : kRows) {
    if (row.number == code) return row.name;
  }
  return "";
}

}  // namespace api
}  // namespace ge
