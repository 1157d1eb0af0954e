#include "options/out_nodes.h"

#include <string>

#include "options/text.h"

namespace ge {
namespace {

void Fail(OutNodes* result, std::string_view value, std::string_view reason) {
  result->faults.Add(Error(ErrorId::kE10001,
                           {{"value", value}, {"parameter", "--out_nodes"}, {"reason", reason}}));
}

}  // namespace

OutNodes ParseOutNodes(std::string_view text) {
  OutNodes result;
  if (text.empty()) return result;
  bool has_nodes = false, has_tensors = false;
  for (const Piece& piece : SplitList(text, ';')) {
    const std::string_view item = Trim(piece).text;
    const size_t colon = item.rfind(':');
    OutNode node;
    if (item.empty()) {
      Fail(&result, text, "an item is empty");
    } else if (colon == std::string_view::npos) {
      has_tensors = true;
      node.tensor = item;
    } else {
      has_nodes = true;
      const std::string_view index = Trim({item.substr(colon + 1), 0}).text;
      node.node = Trim({item.substr(0, colon), 0}).text;
      if (node.node.empty() || !IsDigits(index)) {
        Fail(&result, item, "an item is node:index, where index is a whole number");
      } else if (const std::optional<int64_t> number = ParseInt64(index); number) {
        node.index = *number;
      } else {
        result.faults.Add(Error(ErrorId::kE10013, {{"value", index},
                                                   {"parameter", "--out_nodes"},
                                                   {"reason", "an index has at most 63 bits"},
                                                   {"excerpt", ""}}));
      }
    }
    result.nodes.push_back(std::move(node));
  }
  if (has_nodes && has_tensors) {
    Fail(&result, text, "node:index items and tensor names cannot be mixed");
  }
  return result;
}

}  // namespace ge
