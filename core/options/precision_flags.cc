#include "options/precision_flags.h"

#include <algorithm>
#include <array>

#include "options/checks.h"
#include "options/out_nodes.h"
#include "options/precision_files.h"
#include "options/soc_name.h"
#include "options/text.h"

namespace ge {
namespace {

PrecisionMode ModeOf(const Options& options) {
  for (const auto field : {&Options::precision_mode, &Options::precision_mode_v2}) {
    if (const auto mode = api::FindPrecisionMode(TextOf(options, field))) return *mode;
  }
  return PrecisionMode::kForceFp16;
}

struct TypeWord {
  std::string_view word;
  DataType dtype;
};
constexpr TypeWord kOutputTypes[] = {
    {"FP32", DataType::kFloat},         {"FP16", DataType::kFloat16},
    {"UINT8", DataType::kUint8},        {"INT8", DataType::kInt8},
    {"FP8E5M2", DataType::kFloat8E5m2}, {"FP8E4M3FN", DataType::kFloat8E4m3fn},
};

// NODE:INDEX:TYPE items, in the order of --out_nodes.
std::vector<DataType> OutputDtypes(const Options& options) {
  const std::vector<OutNode> outputs = ParseOutNodes(options.out_nodes).nodes;
  std::vector<DataType> dtypes(outputs.size(), DataType::kUndefined);
  for (const Piece& item : SplitList(options.output_type, ';')) {
    const std::vector<Piece> parts = Split(Trim(item), ':');
    if (parts.size() != 3) continue;  // reported by CheckOutputType
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].node == parts[0].text && outputs[i].index == ParseInt64(parts[1].text)) {
        dtypes[i] = OutputDtype(parts[2].text);
      }
    }
  }
  return dtypes;
}

}  // namespace

DataType OutputDtype(std::string_view word) {
  for (const TypeWord& row : kOutputTypes) {
    if (row.word == word) return row.dtype;
  }
  return DataType::kUndefined;
}

PrecisionRequest ReadPrecisionFlags(const Options& options, Status* faults) {
  PrecisionRequest request;
  request.mode = ModeOf(options);
  if (const std::optional<SocInfo> soc = api::FindSoc(options.soc_version)) {
    request.soc_family = soc->family;
  }
  request.clip_weights = options.is_weight_clip != "0";
  const auto file_of = [&](std::string Options::*field) {
    const std::string& path = TextOf(options, field);
    return path.empty() || !WhyUnreadable(path).empty() ? std::string() : path;
  };
  if (const std::string path = file_of(&Options::modify_mixlist); !path.empty()) {
    request.mix_edits = ReadMixList(path, faults);
  }
  const std::string keep = file_of(&Options::keep_dtype);
  if (!keep.empty() && request.mode != PrecisionMode::kOrigin) {
    ReadKeepDtype(keep, &request, faults);
  }
  if (const std::string path = file_of(&Options::customize_dtypes); !path.empty()) {
    request.custom = ReadCustomDtypes(path, faults);
  }
  const std::string& fp16 = TextOf(options, &Options::input_fp16_nodes);
  if (!fp16.empty()) {
    for (const Piece& name : SplitList(fp16, ';'))
      request.fp16_inputs.emplace_back(Trim(name).text);
  }
  const std::string& types = TextOf(options, &Options::output_type);
  if (types.find(':') == std::string::npos) {
    request.output_dtype = OutputDtype(types);
  } else {
    request.output_dtypes = OutputDtypes(options);
  }
  return request;
}

}  // namespace ge
