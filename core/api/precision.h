#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/export.h"
#include "base/dtype.h"

// What a user may say about the data types of a network, and what came of it.
namespace ge {

// The rules of --precision_mode and --precision_mode_v2 (docs/precision.md).
enum class PrecisionMode : uint8_t {
  kForceFp16,
  kAllowFp32ToFp16,
  kOrigin,
  kCubeFp16InFp32Out,
  kMixFp16,
  kMixBf16,
  kMixHif8,
  kCubeHif8,
  kAllowFp32ToBf16,
};

// Lists of mixed precision: white operators are lowered, black ones are not, gray ones follow what
// they read.
enum class MixList : uint8_t { kGray, kWhite, kBlack };
inline constexpr MixList kMixLists[] = {MixList::kGray, MixList::kWhite, MixList::kBlack};

// An operator type that --modify_mixlist moves.
struct MixEdit {
  std::string type;
  bool adds = false, removes = false;
  MixList to = MixList::kGray;    // if adds
  MixList from = MixList::kGray;  // if removes
};

// A line of --customize_dtypes; kUndefined leaves a port to the other rules.
struct CustomDtypes {
  std::string name;  // of a node, or of an operator type
  bool is_type = false;
  std::vector<DataType> inputs, outputs;
};

struct PrecisionRequest {
  PrecisionMode mode = PrecisionMode::kForceFp16;
  std::string soc_family;  // whose operator lists count, "Ascend310P"
  std::vector<MixEdit> mix_edits;
  std::vector<std::string> keep_nodes, keep_types;  // of --keep_dtype
  std::vector<CustomDtypes> custom;
  bool clip_weights = true;  // instead of infinities
  std::vector<std::string> fp16_inputs;
  // Of every output, or (all of them) one per output; kUndefined: that of the network.
  DataType output_dtype = DataType::kUndefined;
  std::vector<DataType> output_dtypes;
};

// A constant that was narrowed and has elements which the narrower type cannot hold.
struct NarrowedConst {
  std::string name;
  DataType dtype = DataType::kUndefined;  // the narrower one
  uint64_t elements = 0;
  uint64_t beyond = 0;    // too large: clipped, or infinite without clipping
  uint64_t vanished = 0;  // not 0 before
};

// A node that computes in a narrower type than in the source.
struct LoweredNode {
  std::string name;
  DataType from = DataType::kUndefined, to = DataType::kUndefined;
};

// Nodes are called by the names of the source model.
struct PrecisionReport {
  std::vector<LoweredNode> lowered;
  std::vector<std::string>
      kept_for_range;                // would be lowered, but results may not fit, or cancel out
  std::vector<std::string> at_risk;  // are lowered although results may not fit
  std::vector<NarrowedConst> constants;
};

namespace api {

// By the word of --precision_mode or --precision_mode_v2.
GE_API std::optional<PrecisionMode> FindPrecisionMode(std::string_view word);

}  // namespace api
}  // namespace ge
