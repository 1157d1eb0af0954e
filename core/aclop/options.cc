#include "aclop/options.h"

#include <cstdlib>
#include <mutex>

namespace ge::aclop {

void CompileOptions::Set(int32_t opt, std::string value) {
  const std::lock_guard lock(mutex_);
  if (opt == kJitCompileOpt) jit_ = value == "1";
  values_[static_cast<size_t>(opt)] = std::move(value);
}

std::optional<std::string> CompileOptions::Get(int32_t opt) const {
  if (opt < 0 || opt >= kOptCount) return std::nullopt;
  const std::shared_lock lock(mutex_);
  return values_[static_cast<size_t>(opt)];
}

void CompileOptions::SetDefaultJit(bool jit) {
  const std::lock_guard lock(mutex_);
  if (!values_[kJitCompileOpt]) jit_ = jit;
}

Result<PrecisionMode> CompileOptions::Precision() const {
  for (const int32_t opt : {kPrecisionModeOpt, kPrecisionModeV2Opt}) {
    const std::optional<std::string> word = Get(opt);
    if (!word) continue;
    if (const auto mode = api::FindPrecisionMode(*word)) return *mode;
    return Error(
        ErrorId::kE10001,
        {{"value", *word},
         {"parameter", opt == kPrecisionModeOpt ? "ACL_PRECISION_MODE" : "ACL_PRECISION_MODE_V2"},
         {"reason",
          "no such mode is built; must_keep_origin_dtype and origin keep the "
          "data types of the descriptions"}});
  }
  return PrecisionMode::kOrigin;
}

OperatorOptions CompileOptions::Operators() const {
  const auto text = [&](int32_t opt) { return Get(opt).value_or(""); };
  OperatorOptions operators;
  operators.impl_mode = text(kImplModeOpt);
  operators.impl_types = text(kImplTypesOpt);
  operators.mode_file = text(kModeFileOpt);
  operators.keeps_kernels = std::atoi(text(kDebugLevelOpt).c_str()) != 0;
  operators.debug_folder = text(kDebugDirOpt);
  return operators;
}

}  // namespace ge::aclop
