#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "base/status.h"

namespace ge::hooks {

enum class PortKind : uint8_t { kRequired, kOptional, kDynamic };

// An input or output in an operator information library.
struct OperatorPort {
  std::string name;
  PortKind kind = PortKind::kRequired;
  std::vector<DataType> dtypes;      // by combination; empty: `dynamic_format` says
  std::vector<std::string> formats;  // by combination, or empty
  bool needs_value = false;          // valueDepend: constants are handed over
};

struct OperatorAttr {
  std::string name;
  std::string type;  // "int", "listFloat", ...
  bool required = true;
  std::string default_text;
};

// What an operator information library says about one type.
struct OperatorInfo {
  std::string type;
  std::string file;                 // that says so
  std::string folder;               // of the implementation: /a/b/<vendor>_impl
  std::string module;               // its file, without .py
  std::string function;             // in it
  bool needs_check = false;         // needCheckSupport
  bool dynamic_format = false;      // op_select_format instead of dtypes and formats
  bool dynamic_shape = false;       // a dynamic implementation exists
  bool dynamic_for_static = false;  // it is used for static shapes too
  std::string precision_reduce;     // "true", "false" or empty
  std::vector<OperatorPort> inputs, outputs;
  std::vector<OperatorAttr> attrs;  // in the order of the Python call
  uint64_t priority = 0;            // lower comes first
};

// "ReduceSumD" -> "reduce_sum_d", by the rule that finds the file of an operator.
std::string SnakeCase(std::string_view type);

// Reads a library in its JSON or (when `path` ends with .ini) its ini form.  All its faults at
// once: E13006.  Operators without a kernel (opFile Null) are left out.
Result<std::vector<OperatorInfo>> ReadOperatorInfo(const std::string& path, std::string_view text);

}  // namespace ge::hooks
