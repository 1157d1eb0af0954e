#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "om/layout.h"

namespace ge::om {

// An OM file taken apart.  Everything is a view into the bytes it was read from.

struct Partition {
  PartitionType type = PartitionType::kModelDef;  // of a HiAI file: its own numbering above 2
  uint64_t offset = 0;                            // in the file
  std::span<const uint8_t> bytes;
};

// A partition table and what it lists.
struct Block {
  std::vector<Partition> partitions;  // in file order; flow models repeat types
  uint64_t offset = 0;                // of the table, in the file

  // The first of this type, or nullptr.
  const Partition* Find(PartitionType type) const;
};

struct OmFile {
  FileHeader header;          // of an older version: in the place where version 2 has the values
  bool wide = false;          // width of the tables
  bool hiai = false;          // of a phone (HiAI): other partition types
  std::vector<Block> blocks;  // at least one, of at least one partition

  // Texts of the header, which views point into.
  std::string_view name() const;
  std::string_view platform_version() const;
};

// Checks magic, header, lengths and every offset; contents of partitions are not looked at.  A
// failure is E10041 with `path` and `parameter` ("--om"), or E10055 for a kind of file that is
// recognised but not read.
Result<OmFile> ReadOm(std::span<const uint8_t> bytes, std::string_view path,
                      std::string_view parameter);

}  // namespace ge::om
