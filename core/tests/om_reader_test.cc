// Prints what the OM reader makes of a file, one fact per line (tests/om/test_reader.py builds it
// and compares).
#include "om/reader.h"

#include <cstdio>

#include "base/file.h"
#include "om/inout_info.h"

namespace ge {
namespace {

void PrintTensor(const char* kind, const om::TensorInfo& tensor) {
  std::printf("%s %.*s size %llu format %d dtype %d dims", kind,
              static_cast<int>(tensor.name.size()), tensor.name.data(),
              static_cast<unsigned long long>(tensor.size), tensor.format, tensor.dtype);
  for (const int64_t dim : tensor.dims) std::printf(" %lld", static_cast<long long>(dim));
  for (const auto& [low, high] : tensor.range) {
    std::printf(" %lld~%lld", static_cast<long long>(low), static_cast<long long>(high));
  }
  std::printf("\n");
}

void PrintGears(const char* kind, const std::vector<std::vector<uint64_t>>& gears) {
  for (const std::vector<uint64_t>& gear : gears) {
    std::printf("%s", kind);
    for (const uint64_t dim : gear) std::printf(" %llu", static_cast<unsigned long long>(dim));
    std::printf("\n");
  }
}

int Run(const char* path) {
  const auto file = MappedFile::Open(path);
  if (!file.ok()) return 1;
  const auto read = om::ReadOm((*file)->bytes(), path, "--om");
  if (!read.ok()) return 1;
  const om::OmFile& om = *read;
  std::printf("version %x platform %.*s wide %d hiai %d\n", om.header.version,
              static_cast<int>(om.platform_version().size()), om.platform_version().data(), om.wide,
              om.hiai);
  for (const om::Block& block : om.blocks) {
    std::printf("block\n");
    for (const om::Partition& part : block.partitions) {
      std::printf("part %u size %zu\n", static_cast<unsigned>(part.type), part.bytes.size());
    }
  }
  if (const auto info = om::FindInoutInfo(om)) {
    std::printf("inout\n");
    for (const om::TensorInfo& tensor : info->inputs) PrintTensor("input", tensor);
    for (const om::TensorInfo& tensor : info->outputs) PrintTensor("output", tensor);
    if (!info->dynamic_batch.empty()) PrintGears("batch", {info->dynamic_batch});
    PrintGears("hw", info->dynamic_hw);
    PrintGears("dims", info->dynamic_dims);
    for (const std::string_view name : info->shape_order) {
      std::printf("order %.*s\n", static_cast<int>(name.size()), name.data());
    }
  }
  return 0;
}

}  // namespace
}  // namespace ge

int main(int argc, char** argv) {
  return argc == 2 ? ge::Run(argv[1]) : 2;
}
