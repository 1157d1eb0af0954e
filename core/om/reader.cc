// Header and partition tables of an OM file.
//
// Versions of the header differ after byte 152 (docs/om-format.md).  The width of the tables
// follows model_length; the number of blocks is model_num, 1 before version 2.  The sum of the
// header and the stated length must be the size of the file: real loaders insist on it.
#include "om/reader.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/byte_reader.h"

namespace ge::om {
namespace {

constexpr uint32_t kMaxPartitions = 4096;  // of a block; what the vendor's loader allows
constexpr uint32_t kMaxBlocks = 65536;

// A zero-terminated text in a field that may be full.
template <size_t kSize>
std::string_view TextOf(const char (&field)[kSize]) {
  return {field, ::strnlen(field, kSize)};
}

class Reader {
 public:
  Reader(std::span<const uint8_t> bytes, std::string_view path, std::string_view parameter)
      : bytes_(bytes), path_(path), parameter_(parameter) {}

  Result<OmFile> Read();

 private:
  Status Fail(const std::string& reason) const {
    return Error(ErrorId::kE10041,
                 {{"value", path_}, {"parameter", parameter_}, {"reason", reason}});
  }
  Status CheckKind() const;
  Status ReadHeader(FileHeader& header) const;
  Status CheckLength(const FileHeader& header) const;
  // Appends the block whose table starts at `start`, and moves `start` to its end.
  Status ReadBlock(OmFile& file, uint64_t& start) const;

  std::span<const uint8_t> bytes_;
  std::string_view path_;
  std::string_view parameter_;
};

Status Reader::CheckKind() const {
  constexpr std::string_view kZip = "PK\x03\x04";
  const std::string_view text(reinterpret_cast<const char*>(bytes_.data()), bytes_.size());
  if (text.starts_with(kZip)) {
    return Error(
        ErrorId::kE10055,
        {{"reason", "The model [" + std::string(path_) + "] of [" + std::string(parameter_) +
                        "] is a ZIP archive (OM2), which is not read."}});
  }
  if (bytes_.size() < kHeaderBytes) {
    return Fail("it has " + std::to_string(bytes_.size()) +
                " bytes, fewer than the 256 of an offline model's header");
  }
  if (!text.starts_with("IMOD"))
    return Fail("it is not an offline model (it does not start with IMOD)");
  return Status::Ok();
}

Status Reader::ReadHeader(FileHeader& header) const {
  std::memcpy(&header, bytes_.data(), sizeof(header));
  if (header.headsize != kHeaderBytes) {
    return Fail("its header claims " + std::to_string(header.headsize) + " bytes instead of 256");
  }
  if (header.is_encrypt != 0) return Fail("it is encrypted");
  if (header.version == kVersion1) {
    Version1Tail tail;
    std::memcpy(&tail, bytes_.data() + kTailOffset, sizeof(tail));
    std::memset(reinterpret_cast<uint8_t*>(&header) + kTailOffset, 0, sizeof(tail));
    header.om_ir_version = tail.om_ir_version;
    header.model_num = 1;
    std::memcpy(header.platform_version, tail.platform_version, sizeof(tail.platform_version));
    header.platform_type = tail.platform_type;
  } else if (header.version != kVersion2) {
    return Fail("version " + std::to_string(header.version) + " of its header is not known");
  }
  return Status::Ok();
}

Status Reader::CheckLength(const FileHeader& header) const {
  const uint64_t stated = header.model_length != 0 ? header.model_length : header.length;
  const uint64_t present = bytes_.size() - kHeaderBytes;
  // Bundles count the header.
  const bool bundle = header.modeltype == ModelType::kBundle && stated == bytes_.size();
  if (stated == present || bundle) return Status::Ok();
  return Fail("its header says that " + std::to_string(stated) + " bytes follow, but " +
              std::to_string(present) + " do");
}

Status Reader::ReadBlock(OmFile& file, uint64_t& start) const {
  const std::string which = "the partition table at byte " + std::to_string(start);
  ByteReader reader(bytes_.subspan(start));
  const uint32_t count =
      file.wide ? reader.Read<WideTableHeader>().num : reader.Read<TinyTableHeader>().num;
  if (!reader.ok()) return Fail(which + " is cut off");
  if (count == 0 || count > kMaxPartitions) {
    return Fail(which + " lists " + std::to_string(count) + " partitions");
  }
  std::vector<WideEntry> entries(count);
  for (WideEntry& entry : entries) {
    if (file.wide) {
      entry = reader.Read<WideEntry>();
    } else {
      const TinyEntry tiny = reader.Read<TinyEntry>();
      entry = {.type = tiny.type, .padding = 0, .offset = tiny.offset, .size = tiny.size};
    }
  }
  if (!reader.ok()) return Fail(which + " is cut off");

  const std::span<const uint8_t> rest = bytes_.subspan(bytes_.size() - reader.rest());
  // Bundles count offsets from the start of the table.
  const bool bundle = file.header.modeltype == ModelType::kBundle;
  const uint64_t origin = bundle ? start : bytes_.size() - rest.size();
  Block block{.partitions = {}, .offset = start};
  for (const WideEntry& entry : entries) {
    const uint64_t limit = bytes_.size() - origin;
    if (entry.offset > limit || entry.size > limit - entry.offset) {
      return Fail("partition " + std::to_string(block.partitions.size()) + " of " + which +
                  " reaches beyond the end of the file");
    }
    const uint64_t offset = origin + entry.offset;
    block.partitions.push_back({.type = static_cast<PartitionType>(entry.type),
                                .offset = offset,
                                .bytes = bytes_.subspan(offset, entry.size)});
    start = std::max(start, offset + entry.size);
  }
  start = std::max<uint64_t>(start, bytes_.size() - rest.size());
  file.blocks.push_back(std::move(block));
  return Status::Ok();
}

Result<OmFile> Reader::Read() {
  GE_TRY(CheckKind());
  OmFile file;
  GE_TRY(ReadHeader(file.header));
  GE_TRY(CheckLength(file.header));
  // The phone's files have version 1 headers, and platform versions from 3 on.
  file.hiai = file.header.version == kVersion1 && file.platform_version().starts_with("3");
  file.wide = file.header.model_length != 0 ||
              (file.header.modeltype == ModelType::kFlow && file.header.version == kVersion2);
  // model_num of a bundle counts its models, which are partitions of one table.
  const bool bundle = file.header.modeltype == ModelType::kBundle;
  const uint32_t blocks = bundle ? 1 : std::max<uint32_t>(file.header.model_num, 1);
  if (blocks > kMaxBlocks) return Fail("its header counts " + std::to_string(blocks) + " models");
  uint64_t start = kHeaderBytes;
  for (uint32_t i = 0; i < blocks; ++i) GE_TRY(ReadBlock(file, start));
  if (blocks > 1 && start != bytes_.size()) {
    return Fail("its last block ends at byte " + std::to_string(start) + ", not at the end");
  }
  return file;
}

}  // namespace

const Partition* Block::Find(PartitionType type) const {
  const auto found = std::find_if(partitions.begin(), partitions.end(),
                                  [&](const Partition& part) { return part.type == type; });
  return found == partitions.end() ? nullptr : &*found;
}

std::string_view OmFile::name() const {
  return TextOf(header.name);
}

std::string_view OmFile::platform_version() const {
  return TextOf(header.platform_version);
}

Result<OmFile> ReadOm(std::span<const uint8_t> bytes, std::string_view path,
                      std::string_view parameter) {
  return Reader(bytes, path, parameter).Read();
}

}  // namespace ge::om
