// Checks of dynamic_batch_size, dynamic_image_size and dynamic_dims: their own text, and whether
// the -1 dims of --input_shape fit them.

#include <algorithm>

#include "options/checks.h"
#include "options/input_shape.h"
#include "options/shape_flags.h"
#include "options/text.h"

namespace ge {
namespace {

using Shapes = std::vector<NamedShape>;
using Gear = std::vector<int64_t>;

constexpr size_t kFewestGears = 2;

int64_t CountUnknown(const Shape& shape) {
  return std::count(shape.dims().begin(), shape.dims().end(), kUnknownDim);
}

std::string DimsText(const Shape& shape) {
  const std::string text = shape.ToString();
  return text.substr(1, text.size() - 2);
}

// The numbers of a gear, or nothing after a fault.
std::optional<Gear> ReadGear(std::string_view text, ErrorId id, const std::string& parameter,
                             Findings* findings) {
  Gear gear;
  bool good = true;
  for (const Piece& piece : Split({text, 0}, ',')) {
    const std::string_view word = Trim(piece).text;
    const std::optional<int64_t> number = IsDigits(word) ? ParseInt64(word) : std::nullopt;
    if (number) {
      gear.push_back(*number);
    } else {
      good = false;
      findings->Fail(id, {{"value", word},
                          {"parameter", parameter},
                          {"reason", "a gear consists of whole numbers of at most 63 bits"}});
    }
  }
  return good ? std::optional(gear) : std::nullopt;
}

// The command that gives the only gear as a fixed shape.
std::string AsStaticShape(const Shapes& shapes, const Gear& gear, const std::string& parameter) {
  std::string text;
  size_t next = 0;
  for (const NamedShape& shape : shapes) {
    Shape filled = shape.shape;
    for (size_t axis = 0; axis < filled.rank(); ++axis) {
      if (filled[axis] == kUnknownDim) filled[axis] = gear[next++ % gear.size()];
    }
    text += (text.empty() ? "" : ";") + shape.name + ":" + DimsText(filled);
  }
  return "Leave out " + parameter + " and use --input_shape=\"" + text + "\".";
}

// What ATC checks about the list of gears once it has the graph.
void CheckGearList(const Shapes& shapes, const std::vector<Gear>& gears,
                   const std::string& parameter, Findings* findings) {
  if (gears.size() < kFewestGears && !gears.empty() && !gears[0].empty()) {
    findings->Fail(ErrorId::kE10035, {{"parameter", parameter},
                                      {"count", std::to_string(gears.size())},
                                      {"limit", std::to_string(kFewestGears)},
                                      {"advice", AsStaticShape(shapes, gears[0], parameter)}});
  }
  for (auto gear = gears.begin(); gear != gears.end(); ++gear) {
    if (std::find(gears.begin(), gear, *gear) == gear) continue;
    findings->Fail(ErrorId::kE10039, {{"gear", DimsText(Shape(*gear))}, {"parameter", parameter}});
  }
}

void CheckBatchShapes(const Shapes& shapes, Findings* findings) {
  bool has_batch = false;
  for (const NamedShape& input : shapes) {
    const std::span<const int64_t> dims = input.shape.dims();
    if (dims.empty()) findings->Fail(ErrorId::kE10012, {{"opname", input.name}});
    if (dims.empty() || dims[0] != kUnknownDim) continue;
    has_batch = true;
    const auto other = std::find_if(dims.begin() + 1, dims.end(), [](int64_t d) { return d < 0; });
    if (other == dims.end()) continue;
    findings->Fail(ErrorId::kE10018, {{"opname", input.name},
                                      {"shape", DimsText(input.shape)},
                                      {"index", std::to_string(other - dims.begin())}});
  }
  if (!has_batch) findings->Fail(ErrorId::kE10031, {});
}

void CheckBatch(const Options& options, const Shapes& shapes, Findings* findings) {
  const std::string parameter = "--dynamic_batch_size";
  CheckBatchShapes(shapes, findings);
  std::string_view text = options.dynamic_batch_size;
  if (text.ends_with(',')) text.remove_suffix(1);
  const std::optional<Gear> sizes = ReadGear(text, ErrorId::kE10003, parameter, findings);
  if (!sizes) return;
  std::vector<Gear> gears;
  for (const int64_t size : *sizes) gears.push_back({size});
  CheckGearList(shapes, gears, parameter, findings);
}

void CheckImageShapes(const Shapes& shapes, bool channels_last, Findings* findings) {
  const size_t height = channels_last ? 1 : 2;
  bool has_image = false;
  for (const NamedShape& input : shapes) {
    if (CountUnknown(input.shape) == 0) continue;
    const auto fail = [&](const std::string& fault) {
      findings->Fail(ErrorId::kE10019, {{"reason", "input [" + input.name + "] of shape [" +
                                                       DimsText(input.shape) + "] " + fault}});
    };
    if (input.shape.rank() != 4) {
      fail("has -1 but not 4 dims");
      continue;
    }
    has_image = true;
    for (size_t axis = 0; axis < 4; ++axis) {
      const bool in_image = axis == height || axis == height + 1;
      const bool unknown = input.shape[axis] == kUnknownDim;
      if (unknown && !in_image) fail("has -1 at axis " + std::to_string(axis));
      if (!unknown && in_image) fail("has no -1 at axis " + std::to_string(axis));
    }
  }
  if (!has_image) {
    findings->Fail(ErrorId::kE10019, {{"reason", "no input with 4 dims has -1 in it"}});
  }
}

void CheckImage(const Options& options, const Shapes& shapes, Findings* findings) {
  const std::string parameter = "--dynamic_image_size";
  const std::string& layout = TextOf(options, &Options::input_format);
  const bool channels_last = layout == "NHWC" || (layout.empty() && options.framework == 3);
  if (!layout.empty() && layout != "NCHW" && layout != "NHWC") {
    findings->Fail(ErrorId::kE10003, {{"value", layout},
                                      {"parameter", "--input_format"},
                                      {"reason", parameter + " needs [NCHW] or [NHWC]"}});
  } else {
    CheckImageShapes(shapes, channels_last, findings);
  }
  std::vector<Gear> gears;
  for (const Piece& piece : SplitList(options.dynamic_image_size, ';')) {
    std::optional<Gear> gear = ReadGear(piece.text, ErrorId::kE10003, parameter, findings);
    if (gear && gear->size() != 2) {
      findings->Fail(ErrorId::kE10020,
                     {{"gear", piece.text}, {"count", std::to_string(gear->size())}});
    } else if (gear) {
      gears.push_back(*std::move(gear));
    }
  }
  CheckGearList(shapes, gears, parameter, findings);
}

void CheckDims(const Options& options, const Shapes& shapes, Findings* findings) {
  const std::string parameter = "--dynamic_dims";
  int64_t unknown = 0;
  for (const NamedShape& input : shapes) unknown += CountUnknown(input.shape);
  if (unknown == 0) {
    findings->Fail(ErrorId::kE10001, {{"value", options.input_shape},
                                      {"parameter", "--input_shape"},
                                      {"reason", parameter + " needs a -1 in it"}});
  }
  if (options.dynamic_dims == ";") {
    return findings->Fail(ErrorId::kE10058, {{"parameter", parameter}});
  }
  std::vector<Gear> gears;
  for (const Piece& piece : SplitList(options.dynamic_dims, ';')) {
    std::optional<Gear> gear = ReadGear(piece.text, ErrorId::kE10001, parameter, findings);
    if (gear && unknown != 0 && static_cast<int64_t>(gear->size()) != unknown) {
      findings->Fail(ErrorId::kE10003,
                     {{"value", piece.text},
                      {"parameter", parameter},
                      {"reason", "a gear has one number for each of the " +
                                     std::to_string(unknown) + " -1 in --input_shape"}});
    } else if (gear) {
      gears.push_back(*std::move(gear));
    }
  }
  CheckGearList(shapes, gears, parameter, findings);
}

}  // namespace

void CheckGears(const Options& options, Findings* findings) {
  if (GearFlags(options).empty() || IsFaulty(options, &Options::input_shape)) return;
  if (options.input_shape.empty()) {
    findings->Fail(ErrorId::kE10004, {{"parameter", "--input_shape"}});
    return;
  }
  const InputShapes parsed = ParseInputShape(options.input_shape, ShapeUse::kGears);
  if (!parsed.faults.ok()) return;  // reported by CheckShapes
  const auto given = [&](std::string Options::*field) { return !TextOf(options, field).empty(); };
  if (given(&Options::dynamic_batch_size)) CheckBatch(options, parsed.shapes, findings);
  if (given(&Options::dynamic_image_size)) CheckImage(options, parsed.shapes, findings);
  if (given(&Options::dynamic_dims)) CheckDims(options, parsed.shapes, findings);
}

}  // namespace ge
