#include "options/shape_range.h"

#include <algorithm>
#include <string>

#include "options/text.h"

namespace ge {
namespace {

constexpr std::string_view kSample = "\"x:[1~8,3,-1,-1];y:[1~8,10]\"";

class RangeChecker {
 public:
  explicit RangeChecker(std::string_view text) : text_(text) {}

  Status Run() {
    if (text_.find(':') == std::string_view::npos) {
      CheckByIndex();
    } else {
      for (const Piece& item : SplitList(text_, ';')) CheckNamed(Trim(item));
    }
    return std::move(faults_);
  }

 private:
  void CheckNamed(Piece item) {
    const size_t colon = item.text.rfind(':');
    if (colon == std::string_view::npos) {
      return Fail(item, "a colon between name and ranges is missing");
    }
    if (Trim({item.text.substr(0, colon), item.at}).text.empty()) {
      return Fail(item, "the name of the input is missing");
    }
    CheckBrackets(Trim({item.text.substr(colon + 1), item.at + colon + 1}));
  }

  // [..],[..]: the brackets, not the commas, part the items.
  void CheckByIndex() {
    Piece rest = Trim({text_, 0});
    do {
      const size_t end = std::min(rest.text.find(']'), rest.text.size() - 1) + 1;
      CheckBrackets({rest.text.substr(0, end), rest.at});
      rest = Trim({rest.text.substr(end), rest.at + end});
      if (rest.text.empty()) return;
      if (!rest.text.starts_with(',')) return Fail(rest, "a comma between inputs is missing");
      rest = Trim({rest.text.substr(1), rest.at + 1});
    } while (!rest.text.empty());
    Fail({text_, 0}, "it ends in a comma");
  }

  void CheckBrackets(Piece ranges) {
    const bool one_pair = std::count(ranges.text.begin(), ranges.text.end(), '[') == 1 &&
                          std::count(ranges.text.begin(), ranges.text.end(), ']') == 1;
    if (!one_pair || !ranges.text.starts_with('[') || !ranges.text.ends_with(']')) {
      return Fail(ranges, "ranges stand in one pair of brackets");
    }
    const Piece inner = {ranges.text.substr(1, ranges.text.size() - 2), ranges.at + 1};
    for (const Piece& dim : Split(inner, ',')) CheckDim(Trim(dim));
  }

  void CheckDim(Piece dim) {
    const std::vector<Piece> ends = Split(dim, '~');
    if (ends.size() > 2) return Fail(dim, "a range has one ~");
    for (size_t i = 0; i < ends.size(); ++i) {
      const Piece end = Trim(ends[i]);
      const bool unbounded = end.text == "-1" && (ends.size() == 1 || i == 1);
      if (unbounded) continue;
      if (!IsDigits(end.text) || !ParseInt64(end.text)) {
        Fail(end.text.empty() ? dim : end, "a bound is a whole number of at most 63 bits, or -1");
      }
    }
  }

  void Fail(Piece part, std::string_view reason) {
    faults_.Add(Error(ErrorId::kE10048, {{"shape_range", part.text},
                                         {"parameter", "--input_shape_range"},
                                         {"reason", reason},
                                         {"sample", kSample},
                                         {"excerpt", Excerpt(text_, part.at, part.text.size())}}));
  }

  const std::string_view text_;
  Status faults_;
};

}  // namespace

Status CheckShapeRange(std::string_view text) {
  return RangeChecker(text).Run();
}

}  // namespace ge
