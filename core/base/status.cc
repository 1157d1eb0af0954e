#include "base/status.h"

#include <algorithm>
#include <array>

namespace ge {
namespace {

constexpr std::array kRows = {
    ErrorRow{"", "", "", "", ""},
#define GE_ERR(code, title, message, cause, solution) \
  ErrorRow{#code, title, message, cause, solution},
#include "base/errors.def"
#undef GE_ERR
    ErrorRow{"", "Interrupted", "Interrupted.", "", ""},
};

std::string Fill(std::string_view text, ErrorValues values) {
  std::string filled;
  filled.reserve(text.size() + 64);
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '{') {
      const size_t end = text.find('}', at);
      const std::string_view name = text.substr(at + 1, end - at - 1);
      const auto value = std::find_if(values.begin(), values.end(),
                                      [&](const auto& pair) { return pair.first == name; });
      if (end != std::string_view::npos && value != values.end()) {
        filled.append(value->second);
        at = end + 1;
        continue;
      }
    }
    filled.push_back(text[at++]);
  }
  return filled;
}

}  // namespace

const ErrorRow& RowOf(ErrorId id) {
  return kRows[static_cast<size_t>(id)];
}

Problem MakeProblem(ErrorId id, ErrorValues values) {
  const ErrorRow& row = RowOf(id);
  const auto node = std::find_if(values.begin(), values.end(),
                                 [](const auto& pair) { return pair.first == "opname"; });
  return {id, Fill(row.message, values), Fill(row.cause, values), Fill(row.solution, values),
          std::string(node != values.end() ? node->second : "")};
}

Status::Status(Problem problem)
    : problems_(std::make_shared<std::vector<Problem>>(1, std::move(problem))) {}

const std::vector<Problem>& Status::problems() const {
  static const std::vector<Problem> kNone;
  return ok() ? kNone : *problems_;
}

void Status::Add(Status other) {
  if (other.ok()) return;
  if (ok()) {
    problems_ = std::make_shared<std::vector<Problem>>(other.problems());
    return;
  }
  auto merged = problems_.use_count() == 1 ? std::move(problems_)
                                           : std::make_shared<std::vector<Problem>>(*problems_);
  for (const Problem& problem : other.problems()) {
    if (std::find(merged->begin(), merged->end(), problem) == merged->end()) {
      merged->push_back(problem);
    }
  }
  problems_ = std::move(merged);
}

Status& Status::WithSolution(std::string solution) {
  if (!ok()) {
    auto changed = std::make_shared<std::vector<Problem>>(*problems_);
    changed->front().solution = std::move(solution);
    problems_ = std::move(changed);
  }
  return *this;
}

}  // namespace ge
