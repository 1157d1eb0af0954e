#include "om/model_info.h"

#include <array>
#include <protozero/exception.hpp>

#include "om/attr_view.h"

namespace ge::om {
namespace {

constexpr int64_t kMissing = -1;

int64_t IntOf(const AttrViews& attrs, std::string_view name) {
  const auto found = attrs.find(name);
  return found == attrs.end() ? kMissing : ReadAttr(found->second).i;
}

// Control characters are replaced: the text is for a terminal.
std::string TextOf(const AttrViews& attrs, std::string_view name) {
  const auto found = attrs.find(name);
  if (found == attrs.end()) return "";
  std::string text(ReadAttr(found->second).s);
  for (char& character : text) {
    const auto byte = static_cast<uint8_t>(character);
    if (byte < 0x20 || byte == 0x7f) character = '?';
  }
  return text;
}

uint64_t BytesOfType(const OmFile& file, PartitionType type) {
  uint64_t bytes = 0;
  for (const Block& block : file.blocks) {
    for (const Partition& part : block.partitions) {
      if (part.type == type) bytes += part.bytes.size();
    }
  }
  return bytes;
}

// The numbers that om_info_list stores, in its order.  Those it does not have are taken from the
// partition tables.
std::array<int64_t, 5> PartSizes(const OmFile& file, const AttrViews& attrs) {
  constexpr std::array kTypes = {PartitionType::kWeightsData, PartitionType::kTbeKernels,
                                 PartitionType::kCustAicpuKernels, PartitionType::kTaskInfo,
                                 PartitionType::kSoBins};
  std::vector<int64_t> stored;
  if (const auto found = attrs.find("om_info_list"); found != attrs.end()) {
    stored = ListInts(ReadAttr(found->second).list);
  }
  std::array<int64_t, 5> sizes;
  for (size_t i = 0; i < sizes.size(); ++i) {
    // The phone's files share only the numbers up to TASK_INFO.
    const bool in_table = !file.hiai || kTypes[i] <= PartitionType::kTaskInfo;
    const uint64_t table_bytes = in_table ? BytesOfType(file, kTypes[i]) : 0;
    sizes[i] = i < stored.size() ? stored[i] : static_cast<int64_t>(table_bytes);
  }
  return sizes;
}

std::string Bytes(std::string_view name, int64_t bytes) {
  return std::string(name) + "[" + std::to_string(bytes) + " B]";
}

std::string Text(std::string_view name, const std::string& text) {
  return std::string(name) + "[" + text + "]";
}

std::string Describe(const OmFile& file, std::string_view model_def) {
  const AttrViews attrs = ReadAttrMap(model_def, kModelAttr);
  const std::array<int64_t, 5> sizes = PartSizes(file, attrs);
  return "============ Display Model Info start ============\n"
         "Original Atc command line: " +
         TextOf(attrs, "atc_cmdline") +
         "\n"
         "system   info: " +
         Text("atc_version", TextOf(attrs, "atc_version")) + ", " +
         Text("soc_version", TextOf(attrs, "soc_version")) + ", " +
         Text("framework_type", TextOf(attrs, "framework_type")) +
         ".\n"
         "resource info: " +
         Bytes("memory_size", IntOf(attrs, "memory_size")) + ", " +
         Bytes("weight_size", IntOf(attrs, "weight_size")) + ", " +
         Text("stream_num", std::to_string(IntOf(attrs, "stream_num"))) + ", " +
         Text("event_num", std::to_string(IntOf(attrs, "event_num"))) +
         ".\n"
         "om       info: " +
         Bytes("modeldef_size", static_cast<int64_t>(model_def.size())) + ", " +
         Bytes("weight_data_size", sizes[0]) + ", " + Bytes("tbe_kernels_size", sizes[1]) + ", " +
         Bytes("cust_aicpu_kernel_store_size", sizes[2]) + ", " +
         Bytes("task_info_size", sizes[3]) + ", " + Bytes("so_store_size", sizes[4]) +
         ".\n"
         "============ Display Model Info end   ============\n";
}

}  // namespace

Result<std::string_view> FirstModelDef(const OmFile& file, std::string_view path,
                                       std::string_view parameter) {
  const Partition* part = file.blocks.front().Find(PartitionType::kModelDef);
  if (part == nullptr) {
    const bool bundle = file.header.modeltype == ModelType::kBundle;
    return Error(ErrorId::kE10041,
                 {{"value", path},
                  {"parameter", parameter},
                  {"reason", bundle ? "it is a bundle of models, which has no graph of its own"
                                    : "its first block has no model definition"}});
  }
  return std::string_view(reinterpret_cast<const char*>(part->bytes.data()), part->bytes.size());
}

Result<std::string> DescribeModel(const OmFile& file, std::string_view path,
                                  std::string_view parameter) {
  GE_ASSIGN(const std::string_view model_def, FirstModelDef(file, path, parameter));
  try {
    return Describe(file, model_def);
  } catch (const protozero::exception& error) {
    return Error(ErrorId::kE10041, {{"value", path},
                                    {"parameter", parameter},
                                    {"reason", std::string("its model definition is damaged (") +
                                                   error.what() + ")"}});
  }
}

}  // namespace ge::om
