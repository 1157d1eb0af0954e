#include <string>

#include "makers.h"
#include "primitive.h"

namespace ge::onednn {
namespace {

const char* NameAndVersion() {
  static const std::string name = [] {
    const dnnl_version_t& version = *dnnl_version();
    return "oneDNN " + std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
           std::to_string(version.patch);
  }();
  return name.c_str();
}

}  // namespace
}  // namespace ge::onednn

extern "C" [[gnu::visibility("default")]] bool ge_dnnl_register(ge::HeavyTable* table) {
  if (table->version != ge::HeavyTable::kVersion) return false;
  table->name = ge::onednn::NameAndVersion();
  table->conv = ge::onednn::MakeConv;
  table->matmul = ge::onednn::MakeMatMul;
  table->stream_conv = ge::onednn::MakeStreamConv;
  table->stream_matmul = ge::onednn::MakeStreamMatMul;
  table->run_pieces = ge::onednn::RunPieces;
#if defined(__x86_64__)
  table->prefers_channels_last = true;
#endif
  return true;
}
