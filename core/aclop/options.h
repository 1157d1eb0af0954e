#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <shared_mutex>
#include <string>

#include "aclop/table.h"
#include "api/hook_paths.h"
#include "api/precision.h"
#include "base/status.h"

namespace ge::aclop {

// The enumerators of aclCompileOpt that this project acts on.
inline constexpr int32_t kPrecisionModeOpt = 0;
inline constexpr int32_t kAutoTuneOpt = 2;
inline constexpr int32_t kImplModeOpt = 3;
inline constexpr int32_t kImplTypesOpt = 4;
inline constexpr int32_t kDebugLevelOpt = 5;
inline constexpr int32_t kDebugDirOpt = 6;
inline constexpr int32_t kCacheModeOpt = 7;
inline constexpr int32_t kCacheDirOpt = 8;
inline constexpr int32_t kJitCompileOpt = 10;
inline constexpr int32_t kModeFileOpt = 13;
inline constexpr int32_t kPrecisionModeV2Opt = 15;
inline constexpr int32_t kDebugOpt = 16;
inline constexpr int32_t kOptCount = 17;

// What aclSetCompileopt and aclopSetCompileFlag have set.
class CompileOptions {
 public:
  void Set(int32_t opt, std::string value);
  std::optional<std::string> Get(int32_t opt) const;
  // The default of the SoC, where the caller has set nothing.
  void SetDefaultJit(bool jit);
  void SetFuzz(bool fuzz) { fuzz_ = fuzz; }

  LookUp look_up() const { return jit_ && !fuzz_ ? LookUp::kStaticFirst : LookUp::kDynamicFirst; }
  // Operators are compiled for all sizes, unless the inputs say which.
  bool Generalizes(bool has_ranges) const { return !jit_ || (fuzz_ && !has_ranges); }
  // Of the two precision options; an error names what is accepted.
  Result<PrecisionMode> Precision() const;
  OperatorOptions Operators() const;

 private:
  mutable std::shared_mutex mutex_;
  std::array<std::optional<std::string>, kOptCount> values_;
  std::atomic<bool> jit_ = true;
  std::atomic<bool> fuzz_ = false;
};

}  // namespace ge::aclop
