#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "om/reader.h"

namespace ge::om {

// A tensor that the user feeds or gets, as MODEL_INOUT_INFO has it.
struct TensorInfo {
  std::string_view name;
  uint64_t size = 0;   // exact bytes; 0 when not static
  int32_t format = 0;  // API number
  int32_t dtype = 0;   // API number
  std::vector<int64_t> dims;
  std::vector<int64_t> dims_v2;                    // what the user feeds with static AIPP
  std::vector<std::pair<int64_t, int64_t>> range;  // (min, max) per dim; may be empty
};

struct InoutInfo {
  std::vector<TensorInfo> inputs;
  std::vector<TensorInfo> outputs;
  std::vector<uint64_t> dynamic_batch;            // gears
  std::vector<std::vector<uint64_t>> dynamic_hw;  // one list per gear
  std::vector<std::vector<uint64_t>> dynamic_dims;
  std::vector<std::string_view> dynamic_output_shape;
  std::vector<std::string_view> shape_order;
};

// nullopt when the bytes are no such table.
std::optional<InoutInfo> ReadInoutInfo(std::span<const uint8_t> bytes);

// The table of a file, nullopt when it has none.  SS928 toolkits stored it as partition type 6,
// before that number became FLOW_MODEL: outside of flow models such a partition is the table when
// it reads as one.
std::optional<InoutInfo> FindInoutInfo(const OmFile& file);

}  // namespace ge::om
