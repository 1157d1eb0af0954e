#include "om/kernel_store.h"

#include "base/byte_reader.h"
#include "om/layout.h"

namespace ge::om {

std::string BuildKernelStore(const std::vector<StoredKernel>& kernels) {
  std::string bytes;
  for (const StoredKernel& kernel : kernels) {
    KernelRecord record;
    record.name_len = static_cast<uint32_t>(kernel.name.size());
    record.bin_len = static_cast<uint32_t>(kernel.text.size());
    bytes.append(reinterpret_cast<const char*>(&record), sizeof(record));
    bytes += kernel.name;
    bytes += kernel.text;
  }
  return bytes;
}

std::unordered_map<std::string, std::string_view> ReadKernelStore(std::span<const uint8_t> bytes) {
  std::unordered_map<std::string, std::string_view> kernels;
  const auto text = [](std::span<const uint8_t> part) {
    return std::string_view(reinterpret_cast<const char*>(part.data()), part.size());
  };
  for (ByteReader reader(bytes); reader.rest() != 0;) {
    const auto record = reader.Read<KernelRecord>();
    const std::string_view name = text(reader.ReadBytes(record.name_len));
    const std::string_view binary = text(reader.ReadBytes(record.bin_len));
    if (!reader.ok() || record.magic != KernelRecord().magic) break;
    kernels.emplace(name, binary);
  }
  return kernels;
}

}  // namespace ge::om
