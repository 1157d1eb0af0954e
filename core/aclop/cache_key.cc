#include "aclop/cache_key.h"

#include <algorithm>

#include "aclop/build_id.h"
#include "aclop/key_writer.h"

namespace ge::aclop {
namespace {

// Options that say where files go, not what is compiled.  JIT is in `generalize`.
constexpr int32_t kOtherOpts[] = {kDebugLevelOpt, kDebugDirOpt, kCacheModeOpt, kCacheDirOpt,
                                  kJitCompileOpt};

}  // namespace

void KeyWriter::operator()(const OpTensorDesc& desc) {
  for (const int32_t number : {desc.dtype, desc.format, desc.storage_format, desc.placement}) {
    Raw(number);
  }
  List(desc.dims);
  List(desc.storage_dims);
  List(desc.shape_range);
  List(desc.value_range);
  (*this)(desc.dynamic_input);
  Raw(desc.is_const());
  if (desc.is_const()) List(*desc.constant);
}

void KeyWriter::operator()(const OpDefinition& definition) {
  (*this)(definition.type);
  (*this)(definition.inputs);
  (*this)(definition.outputs);
  Raw(uint64_t{definition.attrs.values().size()});
  for (const auto& [name, value] : definition.attrs.values()) {
    (*this)(name);
    (*this)(uint64_t{value.index()});
    std::visit(*this, value);
  }
}

KeyWriter BeginKey() {
  KeyWriter key;
  key(std::string_view(GE_VERSION));
  key(BuildId());
  return key;
}

std::string CacheKeyOf(const OpDefinition& definition, std::string_view soc,
                       const CompileOptions& options, bool generalize) {
  KeyWriter key = BeginKey();
  key(soc);
  for (int32_t opt = 0; opt < kOptCount; ++opt) {
    if (std::find(std::begin(kOtherOpts), std::end(kOtherOpts), opt) != std::end(kOtherOpts)) {
      continue;
    }
    const std::optional<std::string> value = options.Get(opt);
    key(value.has_value());
    if (value) key(*value);
  }
  key(generalize);
  key(definition);
  return std::move(key.bytes);
}

}  // namespace ge::aclop
