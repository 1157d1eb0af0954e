#include "aclop/cache_key.h"

#include <algorithm>

namespace ge::aclop {
namespace {

// Options that say where files go, not what is compiled.  JIT is in `generalize`.
constexpr int32_t kOtherOpts[] = {kDebugLevelOpt, kDebugDirOpt, kCacheModeOpt, kCacheDirOpt,
                                  kJitCompileOpt};

// Values one after the other, each with its length where that varies, so that no two sequences of
// values have the same bytes.
struct KeyWriter {
  std::string bytes;

  template <typename T>
  void Raw(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void operator()(bool value) { Raw(value); }
  void operator()(uint8_t value) { Raw(value); }
  void operator()(int32_t value) { Raw(value); }
  void operator()(int64_t value) { Raw(value); }
  void operator()(uint64_t value) { Raw(value); }
  void operator()(float value) { Raw(value); }
  void operator()(OpDtype value) { Raw(value.number); }
  void operator()(const DimRange& range) {
    Raw(range.least);
    Raw(range.most);
  }
  void operator()(std::string_view text) {
    Raw(uint64_t{text.size()});
    bytes += text;
  }
  void operator()(const std::string& text) { (*this)(std::string_view(text)); }
  template <typename T>
  void operator()(const std::vector<T>& list) {
    List(list);
  }
  template <typename Values>
  void List(const Values& list) {
    Raw(uint64_t{list.size()});
    for (const auto& value : list) (*this)(value);
  }
  void operator()(const OpTensorDesc& desc) {
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
};

}  // namespace

std::string CacheKeyOf(const OpDefinition& definition, std::string_view soc,
                       const CompileOptions& options, bool generalize) {
  KeyWriter key;
  key(std::string_view(GE_VERSION));
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
  key(definition.type);
  key(definition.inputs);
  key(definition.outputs);
  key(uint64_t{definition.attrs.values().size()});
  for (const auto& [name, value] : definition.attrs.values()) {
    key(name);
    key(uint64_t{value.index()});
    std::visit(key, value);
  }
  return std::move(key.bytes);
}

}  // namespace ge::aclop
