// Checks of the shape flags other than gears, and of the flags that exclude each other.

#include <algorithm>

#include "options/checks.h"
#include "options/input_shape.h"
#include "options/shape_flags.h"
#include "options/shape_range.h"
#include "options/text.h"

namespace ge {
namespace {

// index:[dims] items; every fault is E10014.
void CheckHintShape(const std::string& text, Findings* findings) {
  std::vector<int64_t> seen;
  const auto fail = [&](Piece part, std::string_view reason) {
    findings->Fail(ErrorId::kE10014, {{"value", part.text},
                                      {"parameter", "--input_hint_shape"},
                                      {"reason", reason},
                                      {"excerpt", Excerpt(text, part.at, part.text.size())}});
  };
  for (const Piece& piece : Split({text, 0}, ';')) {
    const Piece item = Trim(piece);
    if (item.text.empty()) continue;
    const std::vector<Piece> parts = Split(item, ':');
    const std::string_view index = Trim(parts[0]).text;
    const std::optional<int64_t> number = ParseInt64(index);
    const std::string_view dims = parts.size() == 2 ? Trim(parts[1]).text : "";
    if (!IsDigits(index) || !number || !dims.starts_with('[') || !dims.ends_with(']')) {
      fail(item, "an item is INDEX:[DIM,DIM,...]");
      continue;
    }
    if (std::find(seen.begin(), seen.end(), *number) != seen.end()) {
      fail(item, "this input has a hint already");
    }
    seen.push_back(*number);
    const std::string_view inner = dims.substr(1, dims.size() - 2);
    const size_t at = static_cast<size_t>(inner.data() - text.data());
    if (Trim({inner, at}).text.empty()) continue;
    for (const Piece& dim : Split({inner, at}, ',')) {
      const Piece trimmed = Trim(dim);
      if (!IsDigits(trimmed.text) || !ParseInt64(trimmed.text)) {
        fail(trimmed, "a dim is a whole number");
      }
    }
  }
}

}  // namespace

void CheckShapes(const Options& options, Findings* findings) {
  const std::string& range = TextOf(options, &Options::input_shape_range);
  const std::string& shapes = TextOf(options, &Options::input_shape);
  const std::string& hint = TextOf(options, &Options::input_hint_shape);
  const std::vector<FlagField> gears = GearFlags(options);
  if (!range.empty()) {
    findings->Warn(ErrorId::kW10003, {{"parameter", "--input_shape_range"},
                                      {"reason", "--input_shape takes ranges too"}});
    findings->faults.Add(CheckShapeRange(range));
    if (!shapes.empty()) {
      findings->Warn(ErrorId::kW10001, {{"parameter", "--input_shape"},
                                        {"reason", "--input_shape_range takes its place"}});
    }
  } else if (!shapes.empty()) {
    findings->faults.Add(
        ParseInputShape(shapes, gears.empty() ? ShapeUse::kPlain : ShapeUse::kGears).faults);
  }
  if (!hint.empty()) {
    CheckHintShape(hint, findings);
    for (const FlagField gear : gears) {
      findings->Fail(ErrorId::kE10001,
                     {{"value", hint},
                      {"parameter", "--input_hint_shape"},
                      {"reason", "it does not go with " + WithDashes(RowOf(gear))}});
    }
  }
  if (gears.size() + (range.empty() ? 0 : 1) > 1) {
    std::string flags = range.empty() ? "" : "[--input_shape_range]";
    for (const FlagField gear : gears) {
      flags += (flags.empty() ? "[" : " [") + WithDashes(RowOf(gear)) + "]";
    }
    findings->Fail(ErrorId::kE10009, {{"flags", flags}});
  }
}

void CheckAippGears(const Options& options, Findings* findings) {
  if (options.insert_op_conf.empty() || TextOf(options, &Options::dynamic_dims).empty()) return;
  findings->Fail(ErrorId::kE10001, {{"value", options.insert_op_conf},
                                    {"parameter", "--insert_op_conf"},
                                    {"reason", "it does not go with --dynamic_dims"}});
}

}  // namespace ge
