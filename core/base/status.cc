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

// Names and contents of files may hold anything; a terminal obeys what is no text.
void AppendPrintable(std::string_view value, std::string& text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte >= 0x20 && byte != 0x7f) || c == '\n' || c == '\t') {
      text.push_back(c);
    } else {
      text.append({'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
}

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
        AppendPrintable(value->second, filled);
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

std::string_view CodeOf(const Problem& problem) {
  return problem.code.empty() ? RowOf(problem.id).code : problem.code;
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
