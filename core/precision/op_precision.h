#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/precision.h"
#include "ir/graph.h"

namespace ge::hooks {
class OperatorStores;
}

namespace ge {

// One combination of float dtypes that a kernel of the SoC takes, by port of the prototype.
// kUndefined: the port has no float.
struct DtypeColumn {
  std::vector<DataType> inputs, outputs;
};

// What a SoC family says about an operator type.
struct OpPrecision {
  bool on_ai_core = false;  // else nothing else counts: it keeps the dtypes of the source
  MixList list = MixList::kGray;
  std::vector<DtypeColumn> columns;
};

// core/tables/op_precision.json for one family, with the edits of --modify_mixlist applied.
class OpPrecisionTable {
 public:
  // `own` are operators of the user, whose columns count instead; may be null.
  OpPrecisionTable(std::string_view family, const std::vector<MixEdit>& edits,
                   const hooks::OperatorStores* own = nullptr);
  const OpPrecision& Of(const std::string& type);

 private:
  OpPrecision Read(const std::string& type) const;

  int64_t family_bit_ = 0;  // 0: the family has no lists
  const std::vector<MixEdit>& edits_;
  const hooks::OperatorStores* own_;
  std::unordered_map<std::string, std::unique_ptr<const OpPrecision>> known_;
};

// Whether the operator is a matrix product or a convolution, for the modes that treat these apart.
bool IsMatrixOp(std::string_view type);

// Port of the prototype that input (output) `index` of `node` belongs to.
size_t InputPort(const Node& node, size_t index);
size_t OutputPort(const Node& node, size_t index);

// float32, float16 and bfloat16: the dtypes that precision modes are about.
inline bool IsLowerable(DataType dtype) {
  return dtype == DataType::kFloat || dtype == DataType::kFloat16 || dtype == DataType::kBf16;
}

}  // namespace ge
