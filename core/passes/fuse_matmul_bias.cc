// FuseMatMulBias:  MatMulV2(a, b) -> Add of a vector   becomes   MatMulV2(a, b, vector), and so for
// BatchMatMulV2.
//
// Applies to floats when the product has no bias, the Add alone reads it, it is no output of the
// graph, and the vector has one element per column of the result; a constant may have leading dims
// of 1.  The sum is the same; float16 and bfloat16 are rounded once instead of twice.
#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"

namespace ge {
namespace {

constexpr size_t kBias = 2;

bool IsProduct(const Node& node) {
  return (node.type() == "MatMulV2" || node.type() == "BatchMatMulV2") && !node.input(kBias) &&
         IsFloat(node.output(0).dtype);
}

// Whether `bias` has one element per column of `y`.
bool IsRow(Value bias, const TensorDesc& y) {
  const Shape& shape = bias.desc().shape;
  if (!shape.is_static() || y.shape.unknown_rank() || bias.desc().dtype != y.dtype) return false;
  const size_t rank = y.shape.rank();
  if (shape.rank() < 1 || shape.rank() > rank) return false;
  const int64_t columns = y.shape[rank - 1];
  return columns >= 0 && shape[shape.rank() - 1] == columns && shape.elements() == columns &&
         (shape.rank() == 1 || bias.node->is_const());
}

}  // namespace

Result<size_t> FuseMatMulBias(Graph& graph) {
  Removal removal(graph);
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& product = *graph.nodes()[i];
    if (!IsProduct(product)) continue;
    Node* add = OnlyReaderOfType(product, "Add");
    if (add == nullptr) continue;
    const Value bias = Beside(*add, product.out());
    if (!IsRow(bias, product.output(0)) || !LooksLike(*add, product.out())) continue;
    while (product.input_count() <= kBias) product.AddInput({});
    product.SetInput(kBias, bias);
    removal.Bypass(*add, product.out());
    if (bias.desc().shape.rank() == 1) continue;
    TensorDesc row = bias.desc();
    row.shape = Shape{*row.shape.elements()};
    SetConst(product, kBias, bias.node->name(), row, bias.node->value());
  }
  return removal.Finish();
}

}  // namespace ge
