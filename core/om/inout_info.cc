#include "om/inout_info.h"

#include "base/byte_reader.h"

namespace ge::om {
namespace {

template <typename T>
std::vector<T> ReadList(ByteReader& reader, uint64_t bytes) {
  ByteReader part(reader.ReadBytes(bytes));
  std::vector<T> list;
  while (part.rest() >= sizeof(T)) list.push_back(part.Read<T>());
  return list;
}

// False when the lengths cannot be right.
bool ReadTensor(ByteReader& reader, TensorInfo& tensor) {
  const auto fixed = reader.Read<InoutTensor>();
  tensor.size = fixed.size;
  tensor.format = fixed.format;
  tensor.dtype = fixed.dtype;
  tensor.name = reader.ReadText(fixed.name_len);
  tensor.dims = ReadList<int64_t>(reader, fixed.dims_len);
  tensor.dims_v2 = ReadList<int64_t>(reader, fixed.dimsV2_len);
  const std::vector<int64_t> limits = ReadList<int64_t>(reader, fixed.range_len);
  for (size_t i = 0; i + 1 < limits.size(); i += 2) {
    tensor.range.emplace_back(limits[i], limits[i + 1]);
  }
  return reader.ok() && fixed.dims_len % sizeof(int64_t) == 0 &&
         fixed.dimsV2_len % sizeof(int64_t) == 0 && fixed.range_len % (2 * sizeof(int64_t)) == 0;
}

bool ReadTensors(ByteReader reader, std::vector<TensorInfo>& tensors) {
  const auto count = reader.Read<uint32_t>();
  if (count > reader.rest() / sizeof(InoutTensor)) return false;
  tensors.resize(count);
  for (TensorInfo& tensor : tensors) {
    if (!ReadTensor(reader, tensor)) return false;
  }
  return reader.rest() == 0;
}

// u32 count, u32 length per item, then the items; `read` takes one of `length`.
template <typename Item, typename ReadItem>
bool ReadItems(ByteReader reader, std::vector<Item>& items, ReadItem read) {
  const auto count = reader.Read<uint32_t>();
  if (count > reader.rest() / sizeof(uint32_t)) return false;
  for (const uint32_t length : ReadList<uint32_t>(reader, count * sizeof(uint32_t))) {
    items.push_back(read(reader, length));
    if (!reader.ok()) return false;
  }
  return reader.rest() == 0;
}

bool ReadGears(ByteReader reader, std::vector<std::vector<uint64_t>>& gears) {
  return ReadItems(reader, gears, [](ByteReader& from, uint32_t length) {
    return ReadList<uint64_t>(from, uint64_t{length} * sizeof(uint64_t));
  });
}

bool ReadTexts(ByteReader reader, std::vector<std::string_view>& texts) {
  return ReadItems(reader, texts,
                   [](ByteReader& from, uint32_t length) { return from.ReadText(length); });
}

bool ReadBatches(ByteReader reader, std::vector<uint64_t>& batches) {
  const auto count = reader.Read<uint32_t>();
  batches = ReadList<uint64_t>(reader, uint64_t{count} * sizeof(uint64_t));
  return reader.ok() && reader.rest() == 0;
}

bool ReadRecord(InoutType type, ByteReader value, InoutInfo& info) {
  switch (type) {
    case InoutType::kInputs:
      return ReadTensors(value, info.inputs);
    case InoutType::kOutputs:
      return ReadTensors(value, info.outputs);
    case InoutType::kDynamicBatch:
      return ReadBatches(value, info.dynamic_batch);
    case InoutType::kDynamicHw:
      return ReadGears(value, info.dynamic_hw);
    case InoutType::kDynamicDims:
      return ReadGears(value, info.dynamic_dims);
    case InoutType::kDynamicOutputShape:
      return ReadTexts(value, info.dynamic_output_shape);
    case InoutType::kDesignateShapeOrder:
      return ReadTexts(value, info.shape_order);
  }
  return false;
}

}  // namespace

std::optional<InoutInfo> ReadInoutInfo(std::span<const uint8_t> bytes) {
  InoutInfo info;
  ByteReader reader(bytes);
  while (reader.ok() && reader.rest() != 0) {
    const auto type = reader.Read<InoutType>();
    const std::span<const uint8_t> value = reader.ReadBytes(reader.Read<uint32_t>());
    if (!reader.ok() || !ReadRecord(type, ByteReader(value), info)) return std::nullopt;
  }
  return reader.ok() ? std::optional(std::move(info)) : std::nullopt;
}

std::optional<InoutInfo> FindInoutInfo(const OmFile& file) {
  const Block& block = file.blocks.front();
  if (const Partition* part = block.Find(PartitionType::kModelInoutInfo)) {
    return ReadInoutInfo(part->bytes);
  }
  const Partition* legacy = block.Find(PartitionType::kFlowModel);
  if (legacy == nullptr || file.hiai || file.header.modeltype == ModelType::kFlow) {
    return std::nullopt;
  }
  return ReadInoutInfo(legacy->bytes);
}

}  // namespace ge::om
