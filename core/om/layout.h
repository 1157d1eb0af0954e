#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

// Layout of an OM file (docs/om-format.md): a header of 256 bytes, then one or more blocks, each a
// partition table followed by the bytes of its partitions.  Everything is little endian.  The
// structs keep the field names of the format, its spelling included.
namespace ge::om {

static_assert(std::endian::native == std::endian::little, "structs are copied from and to files");

inline constexpr uint32_t kMagic = 0x444F4D49;  // "IMOD"
inline constexpr uint32_t kVersion1 = 0x10000000;
inline constexpr uint32_t kVersion2 = 0x20000000;  // adds model_num
inline constexpr size_t kHeaderBytes = 256;

enum class ModelType : uint8_t {
  kIr = 0,
  kStandard = 1,
  kTiny = 2,
  kFlow = 3,
  kLite = 4,
  kBundle = 5,
};

struct FileHeader {  // version 2
  uint32_t magic = kMagic;
  uint32_t headsize = kHeaderBytes;
  uint32_t version = kVersion2;
  uint8_t checksum[64] = {};  // never computed
  uint32_t length = 0;        // bytes after the header; 0 when model_length is used
  uint8_t is_encrypt = 0;
  uint8_t is_checksum = 0;
  ModelType modeltype = ModelType::kIr;
  uint8_t genmode = 0;
  char name[32] = {};  // cut to 31 bytes, zero filled
  uint32_t ops = 0;
  uint8_t userdefineinfo[32] = {};
  uint32_t om_ir_version = 0;      // = ModelDef.version
  uint32_t model_num = 0;          // blocks
  char platform_version[20] = {};  // = ModelDef.custom_version
  uint8_t platform_type = 0;
  uint8_t padd[3] = {};
  uint64_t model_length = 0;  // bytes after the header
  uint8_t need_check_os_cpu_info = 0;
  uint8_t is_unknow_model = 0;  // 1: dynamic shapes
  uint8_t reserved[62] = {};
};
static_assert(sizeof(FileHeader) == kHeaderBytes);
static_assert(offsetof(FileHeader, length) == 76);
static_assert(offsetof(FileHeader, modeltype) == 82);
static_assert(offsetof(FileHeader, name) == 84);
static_assert(offsetof(FileHeader, om_ir_version) == 152);
static_assert(offsetof(FileHeader, model_num) == 156);
static_assert(offsetof(FileHeader, platform_version) == 160);
static_assert(offsetof(FileHeader, model_length) == 184);
static_assert(offsetof(FileHeader, is_unknow_model) == 193);

// Bytes 152 to 255 of a version 1 header.
struct Version1Tail {
  uint32_t om_ir_version = 0;
  char platform_version[20] = {};
  uint8_t platform_type = 0;
  uint8_t reserved[79] = {};
};
inline constexpr size_t kTailOffset = offsetof(FileHeader, om_ir_version);
static_assert(kTailOffset + sizeof(Version1Tail) == kHeaderBytes);

enum class PartitionType : uint32_t {
  kModelDef = 0,  // ge.proto.ModelDef
  kWeightsData = 1,
  kTaskInfo = 2,  // domi.ModelTaskDef
  kTbeKernels = 3,
  kCustAicpuKernels = 4,
  kSoBins = 5,
  kFlowModel = 6,
  kFlowSubmodel = 7,
  kModelInoutInfo = 8,
  kStaticTaskDesc = 9,
  kDynamicTaskDesc = 10,
  kTaskParam = 11,
  kTilingData = 12,
  kPreModelDesc = 20,
  kPreModelSqe = 21,
  kPreKernelArgs = 22,
  kPreModelDescExtend = 23,
  kBundleModelInfo = 24,
  kBundleModelVarInfo = 25,
  kCustomOps = 26,
};

// Partition tables come in two widths: tiny when model_length is 0, wide otherwise.
struct TinyTableHeader {
  uint32_t num = 0;
};
struct TinyEntry {
  uint32_t type = 0;
  uint32_t offset = 0;  // from the end of this table
  uint32_t size = 0;
};
struct WideTableHeader {
  uint32_t num = 0;
  uint32_t padding = 0;  // must be zero: other readers take it for a part of num
};
struct WideEntry {
  uint32_t type = 0;
  uint32_t padding = 0;  // must be zero, too
  uint64_t offset = 0;   // from the end of this table
  uint64_t size = 0;
};
static_assert(sizeof(TinyTableHeader) == 4 && sizeof(TinyEntry) == 12);
static_assert(sizeof(WideTableHeader) == 8 && sizeof(WideEntry) == 24);

// MODEL_INOUT_INFO: records of u32 type, u32 length, value.
enum class InoutType : uint32_t {
  kInputs = 0,
  kOutputs = 1,
  kDynamicBatch = 2,
  kDynamicHw = 3,
  kDynamicDims = 4,
  kDynamicOutputShape = 5,
  kDesignateShapeOrder = 6,
};

// Fixed part of a tensor in a kInputs or kOutputs record; followed by the name, the dims, the
// dims as the user feeds them (i64 each) and the range (pairs of i64).
struct InoutTensor {
  uint64_t size = 0;      // exact bytes; 0 when not static
  int32_t format = 0;     // API number
  int32_t dtype = 0;      // API number
  uint32_t name_len = 0;  // the four lengths are in bytes
  uint32_t dims_len = 0;
  uint32_t dimsV2_len = 0;
  uint32_t range_len = 0;
};
static_assert(sizeof(InoutTensor) == 32);

// A kernel in TBE_KERNELS or CUST_AICPU_KERNELS; followed by the name and the binary.
struct KernelRecord {
  uint32_t magic = 0x5D776EFD;
  uint32_t name_len = 0;
  uint32_t bin_len = 0;
};
static_assert(sizeof(KernelRecord) == 12);

inline constexpr size_t kWeightAlign = 512;  // of every constant, and the unused start

}  // namespace ge::om
