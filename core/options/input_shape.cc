#include "options/input_shape.h"

#include <algorithm>
#include <string>

#include "options/text.h"

namespace ge {
namespace {

constexpr std::string_view kFlagName = "--input_shape";
constexpr std::string_view kSample = "\"x:1,3,224,224;y:1,10\"";

// Whether dims hold `~` or `-1`; ATC then reads the text as ranges.
bool HasDynamicText(std::string_view text) {
  const std::vector<Piece> items = Split({text, 0}, ';');
  return std::any_of(items.begin(), items.end(), [](const Piece& item) {
    const std::string_view dims = item.text.substr(item.text.rfind(':') + 1);
    return dims.find('~') != std::string_view::npos || dims.find("-1") != std::string_view::npos;
  });
}

class Reader {
 public:
  Reader(std::string_view text, ShapeUse use)
      : text_(text),
        use_(use),
        dynamic_text_(use == ShapeUse::kPlain && HasDynamicText(text)),
        by_index_(dynamic_text_ && text.find(':') == std::string_view::npos) {}

  InputShapes Run() {
    if (Trim({text_, 0}).text.empty()) {
      Fail(ErrorId::kE10001, {text_, 0}, "it holds no shape");
      return std::move(result_);
    }
    for (const Piece& item : SplitList(text_, ';')) ReadItem(Trim(item));
    return std::move(result_);
  }

 private:
  void ReadItem(Piece item) {
    const size_t colon = item.text.rfind(':');
    NamedShape shape;
    Piece dims = item;
    if (!by_index_) {
      if (item.text.empty()) return Fail(ErrorId::kE10002, item, "an item is empty");
      if (colon == std::string_view::npos) {
        return Fail(ErrorId::kE10002, item, "a colon between name and dims is missing");
      }
      const Piece name = Trim({item.text.substr(0, colon), item.at});
      if (name.text.empty())
        return Fail(ErrorId::kE10002, item, "the name of the input is missing");
      shape.name = name.text;
      CheckFirstUse(name);
      dims = Trim({item.text.substr(colon + 1), item.at + colon + 1});
    }
    std::vector<int64_t> numbers;
    if (!dims.text.empty()) {
      for (const Piece& dim : Split(dims, ',')) {
        range_ = {0, -1};
        numbers.push_back(ReadDim(Trim(dim)));
        if (numbers.back() != kUnknownDim) range_ = {numbers.back(), numbers.back()};
        shape.range.push_back(range_);
      }
    }
    shape.shape = Shape(std::move(numbers));
    if (shape.shape.is_static()) shape.range.clear();
    result_.shapes.push_back(std::move(shape));
  }

  void CheckFirstUse(Piece name) {
    if (std::any_of(result_.shapes.begin(), result_.shapes.end(),
                    [&](const NamedShape& earlier) { return earlier.name == name.text; })) {
      Fail(ErrorId::kE10014, name, "this input has a shape already");
    }
  }

  // The dim, or -1 after a fault.
  int64_t ReadDim(Piece dim) {
    if (dim.text.find('~') != std::string_view::npos) return ReadRange(dim);
    const std::optional<int64_t> number = ReadNumber(dim);
    if (!number) return kUnknownDim;
    const bool unknown = *number == kUnknownDim && (use_ == ShapeUse::kGears || dynamic_text_);
    result_.is_dynamic |= unknown;
    if (unknown || use_ == ShapeUse::kGears || *number > 0) return *number;
    if (dynamic_text_ && *number == 0) return 0;
    if (dynamic_text_) {
      Fail(ErrorId::kE10048, dim, "the only negative dim is -1");
    } else {
      Fail(ErrorId::kE10011, dim, {});
    }
    return kUnknownDim;
  }

  int64_t ReadRange(Piece dim) {
    result_.is_dynamic = true;
    const std::vector<Piece> ends = Split(dim, '~');
    if (use_ == ShapeUse::kGears) {
      Fail(ErrorId::kE10040, dim, {});
    } else if (ends.size() != 2 || !IsDigits(Trim(ends[0]).text) ||
               !(IsDigits(Trim(ends[1]).text) || Trim(ends[1]).text == "-1")) {
      Fail(ErrorId::kE10048, dim, "a range has two whole numbers, the smaller one first");
    } else {
      const std::optional<int64_t> low = ReadNumber(Trim(ends[0]));
      const std::optional<int64_t> high = ReadNumber(Trim(ends[1]));
      if (low && high && *high != kUnknownDim && *low > *high) {
        Fail(ErrorId::kE10048, dim, "its first number is greater than its second");
      } else if (low && high) {
        if (*low == *high) return *low;
        range_ = {*low, *high};
      }
    }
    return kUnknownDim;
  }

  std::optional<int64_t> ReadNumber(Piece dim) {
    const std::string_view digits = dim.text.substr(dim.text.starts_with('-') ? 1 : 0);
    std::optional<int64_t> number;
    if (digits.empty()) {
      Fail(ErrorId::kE10014, dim, "a number is missing");
    } else if (!IsDigits(digits)) {
      Fail(ErrorId::kE10002, dim, "a dim is a whole number");
    } else if (number = ParseInt64(dim.text); !number) {
      Fail(ErrorId::kE10013, dim, "a dim has at most 63 bits");
    }
    return number;
  }

  void Fail(ErrorId id, Piece part, std::string_view reason) {
    const std::string excerpt = Excerpt(text_, part.at, part.text.size());
    // A superset: each code uses its part of it.
    result_.faults.Add(Error(id, {{"value", part.text},
                                  {"shape", part.text},
                                  {"shape_range", part.text},
                                  {"result", part.text},
                                  {"parameter", kFlagName},
                                  {"reason", reason},
                                  {"sample", kSample},
                                  {"excerpt", excerpt}}));
  }

  const std::string_view text_;
  const ShapeUse use_;
  const bool dynamic_text_;
  const bool by_index_;
  std::pair<int64_t, int64_t> range_;  // of the dim that was read last, when it is not fixed
  InputShapes result_;
};

}  // namespace

InputShapes ParseInputShape(std::string_view text, ShapeUse use) {
  return Reader(text, use).Run();
}

}  // namespace ge
