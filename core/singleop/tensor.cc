// { "format": "ND", "type": "float16", "shape": [2, -1], "shape_range": [[1, 8]], ... }
#include "singleop/tensor.h"

#include <algorithm>

#include "aclop/ranges.h"
#include "base/shape.h"
#include "singleop/words.h"

namespace ge::singleop {
namespace {

// A word of the file: its number, and whether it stands for no tensor.
struct TypeOrFormat {
  int32_t number = kUndefinedNumber;
  bool none = false;
};

class TensorReader {
 public:
  TensorReader(const Spot& spot, bool is_output, Notes& notes)
      : spot_(spot), is_output_(is_output), notes_(notes) {}

  std::optional<Tensor> Read() {
    if (!spot_.value->is_object()) {
      notes_.Fail(ErrorId::kE10032, spot_, "it is " + spot_.value->Described() + ", not an object");
      return std::nullopt;
    }
    WarnOfKeys();
    const std::optional<TypeOrFormat> type =
        ReadWord("type", kTypeWords, "undefined", kUndefinedType);
    const std::optional<TypeOrFormat> format =
        ReadWord("format", kFormatWords, "reserved", kReservedFormat);
    const std::optional<std::vector<int64_t>> dims = ReadShape("shape");
    desc_.name = TextAt(spot_, "name", notes_);
    desc_.dynamic_input = TextAt(spot_, "dynamic_input", notes_);
    const std::optional<Spot> origin_format = spot_.Member("origin_format");
    const std::optional<TypeOrFormat> origin =
        origin_format ? ReadWord("origin_format", kFormatWords, "reserved", kReservedFormat)
                      : format;
    if (!type || !format || !origin || !dims) return std::nullopt;

    std::string part = "_" + std::to_string(type->number) + "_" + std::to_string(format->number);
    for (const int64_t dim : *dims) part += "_" + std::to_string(dim);
    if (type->none || format->none || origin->none) {
      if (!MayBeLeftOut(*type, *format, *origin)) return std::nullopt;
      return Tensor{OpTensorDesc(), std::move(part)};
    }
    desc_.dtype = type->number;
    if (!ReadOrigin(*format, *origin, *dims) || !ReadRanges() || !ReadValue()) return std::nullopt;
    return Tensor{std::move(desc_), std::move(part)};
  }

 private:
  void WarnOfKeys() const {
    if (is_output_) {
      WarnOfOtherKeys(spot_,
                      {"format", "type", "shape", "name", "origin_format", "origin_shape",
                       "shape_range", "dynamic_input"},
                      notes_);
    } else {
      WarnOfOtherKeys(spot_,
                      {"format", "type", "shape", "name", "origin_format", "origin_shape",
                       "shape_range", "dynamic_input", "is_const", "const_value"},
                      notes_);
    }
  }

  std::optional<TypeOrFormat> ReadWord(std::string_view key, std::span<const Word> words,
                                       std::string_view none_word, int32_t none_number) {
    const std::optional<Spot> member = Required(spot_, key, notes_);
    const std::optional<std::string> text =
        member ? ReadText(*member, notes_) : std::optional<std::string>();
    if (!text) return std::nullopt;
    const Word none[] = {{none_word, none_number}};
    if (FindWord(none, *text)) return TypeOrFormat{none_number, true};
    if (const std::optional<int32_t> number = FindWord(words, *text)) {
      return TypeOrFormat{*number, false};
    }
    notes_.Fail(ErrorId::kE10027, *member,
                member->value->Described() + " is not known" + HintFor(words, *text));
    return std::nullopt;
  }

  std::optional<std::vector<int64_t>> ReadShape(std::string_view key) {
    const std::optional<Spot> member = Required(spot_, key, notes_);
    std::optional<std::vector<int64_t>> dims =
        member ? ReadInts(*member, notes_) : std::optional<std::vector<int64_t>>();
    if (!dims) return std::nullopt;
    for (size_t axis = 0; axis < dims->size(); ++axis) {
      const int64_t dim = (*dims)[axis];
      if (dim >= kUnknownDim || (dim == kUnknownRankMark && dims->size() == 1)) continue;
      notes_.Fail(ErrorId::kE13014, member->Item(axis),
                  dim == kUnknownRankMark
                      ? "-2 stands for a shape of unknown rank, as its only number"
                      : "it is " + std::to_string(dim) +
                            "; a dim is 0 or greater, or -1 when it is not known");
      return std::nullopt;
    }
    return dims;
  }

  // Reports words that stand for no tensor where there must be one.
  bool MayBeLeftOut(const TypeOrFormat& type, const TypeOrFormat& format,
                    const TypeOrFormat& origin) {
    if (!is_output_ && type.none && format.none && origin.none) return true;
    notes_.Fail(ErrorId::kE10027, spot_,
                is_output_ ? "an output needs a type and a format"
                           : "an optional input that is left out has the type UNDEFINED and the "
                             "format RESERVED; this one has only one of them");
    return false;
  }

  // [format] and [shape] are what is in memory, [origin_...] what is meant.
  bool ReadOrigin(const TypeOrFormat& format, const TypeOrFormat& origin,
                  const std::vector<int64_t>& dims) {
    desc_.format = origin.number;
    desc_.dims = SmallVector<int64_t, 4>(dims);
    const std::optional<Spot> member = spot_.Member("origin_shape");
    if (member) {
      const std::optional<std::vector<int64_t>> origin_dims = ReadShape("origin_shape");
      if (!origin_dims) return false;
      desc_.dims = SmallVector<int64_t, 4>(*origin_dims);
      if (format.number == origin.number && *origin_dims != dims) {
        notes_.Fail(ErrorId::kE13014, *member,
                    "it is not [shape], although the format is the same");
        return false;
      }
    }
    if (format.number != origin.number) {
      desc_.storage_format = format.number;
      desc_.storage_dims = SmallVector<int64_t, 4>(dims);
    }
    return true;
  }

  // One pair per dim that is not known; kept is one per dim.
  bool ReadRanges() {
    const std::optional<Spot> member = spot_.Member("shape_range");
    if (!member) return true;
    const std::optional<std::vector<Spot>> items = ReadItems(*member, notes_);
    if (!items) return false;
    const bool any_rank = desc_.dims.size() == 1 && desc_.dims[0] == kUnknownRankMark;
    const auto unknown = static_cast<size_t>(
        any_rank ? 0 : std::count(desc_.dims.begin(), desc_.dims.end(), kUnknownDim));
    if (items->size() != unknown) {
      notes_.Fail(ErrorId::kE13014, *member,
                  "it has " + std::to_string(items->size()) + " ranges, but [shape] has " +
                      std::to_string(unknown) + " dims of -1");
      return false;
    }
    std::vector<DimRange> ranges;
    for (const Spot& item : *items) {
      if (const std::optional<DimRange> range = ReadRange(item)) ranges.push_back(*range);
    }
    if (ranges.size() != items->size()) return false;
    if (unknown == 0) return true;
    auto next = ranges.begin();
    for (const int64_t dim : desc_.dims) {
      desc_.shape_range.push_back(dim == kUnknownDim ? *next++ : DimRange{dim, dim});
    }
    return true;
  }

  std::optional<DimRange> ReadRange(const Spot& spot) {
    const std::optional<std::vector<int64_t>> pair = ReadInts(spot, notes_);
    if (!pair) return std::nullopt;
    if (pair->size() == 2) {
      const int64_t least = pair->front(), most = pair->back();
      if (least >= 0 && (most == -1 || most >= least)) return DimRange{least, most};
    }
    notes_.Fail(ErrorId::kE13014, spot,
                "a range is [LEAST, GREATEST], where LEAST is 0 or more and GREATEST may be -1 "
                "for no limit");
    return std::nullopt;
  }

  bool ReadValue() {
    if (is_output_) return true;
    const std::optional<Spot> flag = spot_.Member("is_const");
    const std::optional<Spot> value = spot_.Member("const_value");
    const std::optional<bool> is_const = flag ? ReadBool(*flag, notes_) : false;
    if (!is_const) return false;
    if (!*is_const) {
      if (value) notes_.Warn(*value, "[is_const] is not true");
      return true;
    }
    if (!value) {
      notes_.Fail(ErrorId::kE13014, *flag, "a constant needs [const_value]");
      return false;
    }
    const std::optional<int64_t> elements = Shape(std::span<const int64_t>(desc_.dims)).elements();
    if (!elements) {
      notes_.Fail(ErrorId::kE13014, *flag, "a constant needs a [shape] that is known");
      return false;
    }
    desc_.constant = ReadConstant(*value, desc_.dtype, static_cast<size_t>(*elements), notes_);
    return desc_.constant != nullptr;
  }

  const Spot& spot_;
  const bool is_output_;
  Notes& notes_;
  OpTensorDesc desc_;
};

}  // namespace

std::optional<Tensor> ReadTensor(const Spot& spot, bool is_output, Notes& notes) {
  return TensorReader(spot, is_output, notes).Read();
}

}  // namespace ge::singleop
