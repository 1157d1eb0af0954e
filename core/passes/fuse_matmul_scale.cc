// FuseMatMulScale:  matrix product -> Mul by a number, or RealDiv by one   becomes   the product of
// a scaled operand: the constant weights, and the bias if there is one, hold the factor.
//
// The weights are those of the product itself, or of one that gives an operand of it: views,
// Transpose and one piece of a Split of columns may stand between, as in attention, where the
// scores of q and k are divided by the root of their length.  Applies when nobody else reads what
// lies between and the weights, and channel_affine.h's conditions for constants hold; they are
// computed in double and rounded to their dtype, so that a power of 2 changes no bit of the result.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/op_impl.h"
#include "passes/pass.h"
#include "passes/pattern.h"
#include "passes/scaled_const.h"

namespace ge {
namespace {

constexpr size_t kBias = 2;

bool IsProduct(const Node& node) {
  return node.type() == "MatMulV2" || node.type() == "BatchMatMulV2";
}

// A run of columns of the last axis.
struct Columns {
  int64_t begin, count;
};

// What gives all that has to be scaled: a product, or a piece of its columns.
struct Source {
  Value value;
  std::optional<Columns> columns;  // nullopt: all
};

bool KeepsLastAxis(const Node& view) {
  const Shape &x = view.input(0).desc().shape, &y = view.output(0).shape;
  return x.is_static() && y.is_static() && x.rank() > 0 && y.rank() > 0 &&
         x[x.rank() - 1] == y[y.rank() - 1];
}

// Split and SplitV have their operands in another order.
Value SplitInput(const Node& split) {
  return split.input(split.type() == "Split" ? 1 : 0);
}

// Which columns of the tensor that is split a piece holds.
std::optional<Columns> ColumnsOf(Value piece) {
  const Node& split = *piece.node;
  const std::optional<std::vector<int64_t>> axis =
      ConstInts(split.input(split.type() == "Split" ? 0 : 2));
  const Shape& x = SplitInput(split).desc().shape;
  if (!axis || axis->size() != 1 || !x.is_static() || x.rank() == 0) return std::nullopt;
  if (NormalizeAxis(axis->front(), x.rank()) != x.rank() - 1) return std::nullopt;
  Columns columns = {0, piece.desc().shape[x.rank() - 1]};
  for (int32_t i = 0; i < piece.index; ++i) {
    columns.begin += split.output(static_cast<size_t>(i)).shape[x.rank() - 1];
  }
  return columns;
}

// Up from `value` through nodes that move elements, each of them read by the next alone.
std::optional<Source> FindSource(Value value) {
  Source source = {value, std::nullopt};
  constexpr int kMost = 8;
  for (int step = 0; step < kMost && OnlyReader(source.value) != nullptr; ++step) {
    const Node& node = *source.value.node;
    if (IsProduct(node)) return source;
    if (node.type() == "Split" || node.type() == "SplitV") {
      if (source.columns) return std::nullopt;
      source.columns = ColumnsOf(source.value);
      if (!source.columns) return std::nullopt;
      source.value = SplitInput(node);
      continue;
    }
    const OpImpl* impl = FindOpImpl(node.type());
    const bool is_view = impl != nullptr && impl->view;
    const bool moves =
        source.columns ? is_view && KeepsLastAxis(node) : is_view || node.type() == "Transpose";
    if (!moves) return std::nullopt;
    source.value = node.input(0);
  }
  return std::nullopt;
}

bool IsOwnFloatConst(Value value) {
  return value && value.node->is_const() && value.node->uses(0).size() == 1 &&
         IsScalableFloat(value.desc().dtype) && value.desc().shape.elements().value_or(0) > 0;
}

// `columns` of the constant times `scale`; of a transposed one they are rows.
std::optional<Buffer> Scaled(Value constant, const std::optional<Columns>& columns, bool transposed,
                             double scale) {
  if (!columns) return ScaledConst(*constant.node, {{scale, 0}}, 1);
  const Shape& shape = constant.desc().shape;
  const size_t rank = shape.rank();
  const int64_t width = shape[transposed ? rank - 2 : rank - 1];
  const int64_t elements = *shape.elements();
  const int64_t column = transposed ? shape[rank - 1] : 1;  // elements in a row
  const int64_t step = std::gcd(std::gcd(columns->begin, columns->count), width);
  std::vector<RowScale> rows(static_cast<size_t>(elements / column / step), {1.0, 0});
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t at = static_cast<int64_t>(i) * step % width - columns->begin;
    if (at >= 0 && at < columns->count) rows[i].scale = scale;
  }
  return ScaledConst(*constant.node, std::move(rows), 1);
}

// Scales constants that `product` alone reads.  False, with nothing changed, when it cannot.
bool ScaleWeights(Node& product, const std::optional<Columns>& columns, double scale) {
  const Value bias = product.input(kBias);
  if (bias && (!IsOwnFloatConst(bias) || (columns && !bias.desc().shape.has_rank(1)))) return false;
  const size_t side = IsOwnFloatConst(product.input(1)) ? 1 : 0;
  const Value weights = product.input(side);
  if (!IsOwnFloatConst(weights) || (columns && side == 0)) return false;
  const bool batched = product.type() == "BatchMatMulV2";
  const bool transposed = AttrReader(product).Bool(batched ? "adj_x2" : "transpose_x2");
  if (columns && weights.desc().shape.rank() < 2) return false;
  std::optional<Buffer> new_weights = Scaled(weights, columns, transposed, scale);
  if (!new_weights) return false;
  if (bias) {
    std::optional<Buffer> new_bias = Scaled(bias, columns, false, scale);
    if (!new_bias) return false;
    bias.node->SetValue(std::move(*new_bias));
  }
  weights.node->SetValue(std::move(*new_weights));
  return true;
}

// Scales what `product` gives: its own weights, or those of what gives an operand of it.
Node* ScaleProduct(Node& product, const std::optional<Columns>& columns, double scale) {
  if (ScaleWeights(product, columns, scale)) return &product;
  if (columns || product.input(kBias)) return nullptr;
  for (size_t i = 0; i < 2; ++i) {
    if (OnlyReader(product.input(i)) == nullptr) continue;
    const std::optional<Source> source = FindSource(product.input(i));
    if (source && ScaleWeights(*source->value.node, source->columns, scale)) {
      return source->value.node;
    }
  }
  return nullptr;
}

// x when `node` gives x times a number, and that number.
struct ScaledValue {
  Value x;
  double factor;
};
std::optional<ScaledValue> ReadScale(const Node& node) {
  const bool divides = node.type() == "RealDiv";
  if (!divides && node.type() != "Mul") return std::nullopt;
  size_t side = 1;
  std::optional<double> number = ScalarOf(node.input(side));
  if (!number && !divides) number = ScalarOf(node.input(side = 0));
  if (!number) return std::nullopt;
  const double factor = divides ? 1 / *number : *number;
  if (!std::isfinite(factor) || factor == 0) return std::nullopt;
  return ScaledValue{node.input(1 - side), factor};
}

}  // namespace

Result<size_t> FuseMatMulScale(Graph& graph) {
  Removal removal(graph);
  for (const auto& node : graph.nodes()) {
    const std::optional<ScaledValue> scaled = ReadScale(*node);
    if (!scaled || !LooksLike(*node, scaled->x)) continue;
    const std::optional<Source> source = FindSource(scaled->x);
    if (!source) continue;
    Node* product = ScaleProduct(*source->value.node, source->columns, scaled->factor);
    if (product == nullptr) continue;
    removal.TakeNames(*product, *node);
    graph.ReplaceUses(node->out(), scaled->x);
    removal.Add(*node);
  }
  return removal.Finish();
}

}  // namespace ge
