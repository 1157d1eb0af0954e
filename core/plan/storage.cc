#include "plan/storage.h"

#include <algorithm>
#include <string_view>

#include "ops/op_impl.h"
#include "ops/parts.h"

namespace ge {
namespace {

// Of the start of a part in bytes; kernels read vectors.
constexpr int64_t kPartAlign = 32;

// Operators beside the pointwise ones whose kernels read what they need of an element of input 0
// before they write it: of a row, the greatest element first, then one by one.
constexpr std::string_view kInPlace[] = {"LogSoftmaxV2", "MaskedSoftmaxWithRelPosBias", "PRelu",
                                         "SoftmaxV2"};

std::optional<Storage> PartAt(const Node& node, size_t output) {
  const std::optional<Part> part = PartOf(node, output);
  if (!part) return std::nullopt;
  const Value input = node.input(part->input);
  const int64_t bits = part->first * RowOf(input.desc().dtype).bits;
  if (input.node->is_const() || bits % (8 * kPartAlign) != 0) return std::nullopt;
  return Storage{input, static_cast<uint64_t>(bits / 8)};
}

}  // namespace

std::optional<Storage> ViewedBy(const Node& node, size_t output, bool parts) {
  const OpImpl* impl = FindOpImpl(node.type());
  if (impl == nullptr) return std::nullopt;
  if (impl->view && output == 0 && node.input(0) && !node.input(0).node->is_const() &&
      BytesOf(node.input(0).desc()) == BytesOf(node.output(0))) {
    return Storage{node.input(0), 0};
  }
  if (!parts || !PartAt(node, output)) return std::nullopt;
  // All outputs or none: the kernel writes all.
  for (size_t i = 0; i < node.output_count(); ++i) {
    if (!PartAt(node, i)) return std::nullopt;
  }
  return PartAt(node, output);
}

Storage StorageOf(Value value, bool parts) {
  Storage storage{value, 0};
  while (const std::optional<Storage> viewed =
             ViewedBy(*storage.root.node, static_cast<size_t>(storage.root.index), parts)) {
    storage = {viewed->root, storage.offset + viewed->offset};
  }
  return storage;
}

bool MayOverwrite(const Node& node, size_t i) {
  const OpImpl* impl = FindOpImpl(node.type());
  if (impl == nullptr || node.output_count() != 1) return false;
  const Value input = node.input(i);
  if (!input || input.node->is_const()) return false;
  const DataType from = input.desc().dtype, to = node.output(0).dtype;
  const bool same_bytes =
      from == to || (node.type() == "Cast" && RowOf(from).bits == RowOf(to).bits);
  const bool alike = same_bytes && input.desc().shape == node.output(0).shape;
  return alike && (impl->pointwise != Pointwise::kNo ||
                   (i == 0 && std::ranges::find(kInPlace, node.type()) != std::end(kInPlace)));
}

}  // namespace ge
