#include "aclop/composed_functions.h"

#include <algorithm>
#include <cstring>

#include "aclop/composed_parts.h"

namespace ge::aclop {
namespace {

using namespace composed;  // NOLINT: the functions of the table

const std::vector<ComposedFunction>& Functions() {
  static const std::vector<ComposedFunction> functions = {
      {"along", Along, 3, {"data_format"}},
      {"channel", Channel, 1, {"data_format"}},
      {"count", Count, 2, {}},
      {"crop", Cropped, 2, {"axis", "offsets"}},
      {"depthwise", Depthwise, 1, {}},
      {"dim", Dim, 2, {}},
      {"like", Like, 2, {}},
      {"merged", Merged, 1, {"axis", "end_axis"}},
      {"others", Others, 1, {"data_format"}},
      {"rolled", Rolled, 1, {"dims", "shifts"}},
      {"rows", Rows, 2, {}},
      {"shuffled", Shuffled, 1, {"group"}},
      {"spatial", Spatial, 1, {"data_format"}},
      {"strided",
       Strided,
       3,
       {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"}},
      {"tiled", Tiled, 1, {"axis", "tiles"}},
      {"windows", Windows, 1, {"data_format"}},
  };
  return functions;
}

}  // namespace

const ComposedFunction* FindComposedFunction(std::string_view name) {
  for (const ComposedFunction& function : Functions()) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

bool FunctionReads(std::string_view expression, std::string_view attr) {
  for (const ComposedFunction& function : Functions()) {
    if (expression.find(std::string(function.name) + "(") == std::string_view::npos) continue;
    if (std::find(function.attrs.begin(), function.attrs.end(), attr) != function.attrs.end()) {
      return true;
    }
  }
  return false;
}

Value AddIntConst(Graph& graph, std::string_view name, const Ints& list, const Shape& shape) {
  std::vector<uint8_t> bytes(list.size() * sizeof(int64_t));
  if (!list.empty()) std::memcpy(bytes.data(), list.data(), bytes.size());
  return graph
      .AddConst(name, {DataType::kInt64, Format::kND, shape}, Buffer::Own(std::move(bytes)))
      ->out();
}

}  // namespace ge::aclop
