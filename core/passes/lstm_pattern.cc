#include "passes/lstm_pattern.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "passes/slices.h"

namespace ge {
namespace {

// A part of the gates, before its activation.
struct Part {
  Value whole;  // all gates
  int64_t index = 0;
  double shift = 0;
  std::vector<Node*> nodes;
};

// `value` is the only read value of a node of this type; nullptr otherwise.
Node* OwnMadeBy(Value value, std::string_view type) {
  return OnlyReader(value) == nullptr ? nullptr : MadeBy(value, type);
}

bool IsMatrix(Value value, int64_t columns) {
  const Shape& shape = value.desc().shape;
  return shape.is_static() && shape.has_rank(2) && (columns < 0 || shape[1] == columns);
}

// One of four equal pieces along axis 1.
std::optional<Part> ReadPart(Value value) {
  Part part;
  if (Node* sum = OwnMadeBy(value, "Add")) {
    const std::optional<double> shift = ScalarOf(sum->input(1));
    if (!shift) return std::nullopt;
    part.shift = *shift;
    part.nodes.push_back(sum);
    value = sum->input(0);
  }
  Node& node = *value.node;
  if (OnlyReader(value) == nullptr || !IsMatrix(value, -1)) return std::nullopt;
  part.nodes.push_back(&node);
  const int64_t width = value.desc().shape[1];
  if (node.type() == "Split" || node.type() == "SplitV") {
    part.whole = node.input(node.type() == "Split" ? 1 : 0);
    part.index = value.index;
    if (node.output_count() != 4) return std::nullopt;
    for (size_t i = 0; i < 4; ++i) {
      if (node.output(i) != value.desc()) return std::nullopt;
    }
  } else if (const std::optional<std::vector<AxisSlice>> slices = SlicesOf(node)) {
    const AxisSlice& columns = (*slices)[1];
    part.whole = node.input(0);
    if (columns.step != 1 || width == 0 || columns.first % width != 0) return std::nullopt;
    part.index = columns.first / width;
  } else {
    return std::nullopt;
  }
  const Shape& rows = value.desc().shape;
  if (!IsMatrix(part.whole, 4 * width) || part.whole.desc().shape[0] != rows[0]) {
    return std::nullopt;
  }
  return part;
}

// Adds the gate that an activation of this type, which alone gives `value`, reads.
bool ReadGate(Value value, std::string_view activation, LstmPattern::Gate gate, LstmPattern& lstm,
              Value& whole) {
  Node* node = OwnMadeBy(value, activation);
  if (node == nullptr) return false;
  const std::optional<Part> part = ReadPart(node->input(0));
  if (!part || (whole && whole != part->whole)) return false;
  whole = part->whole;
  lstm.part[gate] = part->index;
  lstm.shift[gate] = part->shift;
  lstm.nodes.insert(lstm.nodes.end(), part->nodes.begin(), part->nodes.end());
  lstm.nodes.push_back(node);
  return true;
}

// c' is the sum of `kept` = f * c and `added` = i * g, whose factors come in any order.
bool ReadCell(Node& kept, Node& added, LstmPattern& lstm, Value& whole) {
  for (size_t side = 0; side < 4; ++side) {
    LstmPattern trial = lstm;
    Value parts = whole;
    const size_t f = side % 2, i = side / 2;
    trial.c = kept.input(1 - f);
    if (!ReadGate(kept.input(f), "Sigmoid", LstmPattern::kForget, trial, parts) ||
        !ReadGate(added.input(i), "Sigmoid", LstmPattern::kInput, trial, parts) ||
        !ReadGate(added.input(1 - i), "Tanh", LstmPattern::kCell, trial, parts)) {
      continue;
    }
    trial.nodes.insert(trial.nodes.end(), {&kept, &added});
    lstm = std::move(trial);
    whole = parts;
    return true;
  }
  return false;
}

bool AddBias(Value value, int64_t columns, std::vector<double>& bias) {
  const Shape& shape = value.desc().shape;
  if (!value.node->is_const() || shape.elements() != columns) return false;
  if (shape.rank() == 0 || shape[shape.rank() - 1] != columns) return false;
  const std::optional<std::vector<double>> numbers = ConstDoubles(value);
  if (!numbers) return false;
  for (size_t i = 0; i < numbers->size(); ++i) bias[i] += (*numbers)[i];
  return true;
}

// A product with constant weights [rows, columns].
struct Product {
  Value x;
  std::vector<double> weights;
};
std::optional<Product> ReadProduct(Node& node, int64_t columns, std::vector<double>& bias) {
  const bool batched = node.type() == "BatchMatMulV2";
  if (!batched && node.type() != "MatMulV2") return std::nullopt;
  const AttrReader attrs(node);
  const Value x = node.input(0), weights = node.input(1);
  if (attrs.Bool(batched ? "adj_x1" : "transpose_x1") || !IsMatrix(x, -1)) return std::nullopt;
  if (!weights.node->is_const() || !IsMatrix(weights, -1)) return std::nullopt;
  if (node.input(2) && !AddBias(node.input(2), columns, bias)) return std::nullopt;
  const std::optional<std::vector<double>> numbers = ConstDoubles(weights);
  if (!numbers) return std::nullopt;
  Product product = {x, *numbers};
  if (attrs.Bool(batched ? "adj_x2" : "transpose_x2")) {
    const size_t rows = static_cast<size_t>(x.desc().shape[1]);
    const size_t width = static_cast<size_t>(columns);
    for (size_t row = 0; row < rows; ++row) {
      for (size_t i = 0; i < width; ++i) {
        product.weights[row * width + i] = (*numbers)[i * rows + row];
      }
    }
  }
  return product;
}

// The products and the constants whose sum `value` is.
bool ReadSum(Value value, int64_t columns, LstmPattern& lstm, std::vector<Product>& products) {
  constexpr size_t kMost = 8;
  std::vector<Value> terms = {value};
  for (size_t i = 0; i < terms.size() && i < kMost; ++i) {
    Node& node = *terms[i].node;
    if (AddBias(terms[i], columns, lstm.bias)) continue;
    if (node.type() != "Add") {
      std::optional<Product> product = ReadProduct(node, columns, lstm.bias);
      if (!product || (i > 0 && OnlyReader(terms[i]) == nullptr)) return false;
      products.push_back(std::move(*product));
    } else if (i > 0 && OnlyReader(terms[i]) == nullptr) {
      return false;
    } else {
      terms.insert(terms.end(), {node.input(0), node.input(1)});
    }
    lstm.nodes.push_back(&node);
  }
  return terms.size() <= kMost;
}

// Cuts a product of [x, h] in two.
bool CutProduct(LstmPattern& lstm, std::vector<Product>& products) {
  Node* concat = OwnMadeBy(products[0].x, "ConcatD");
  if (concat == nullptr || concat->input_count() != 2) return false;
  const Value x = concat->input(0), h = concat->input(1);
  if (NormalizeAxis(AttrReader(*concat).Int("concat_dim"), 2) != size_t{1}) return false;
  const auto middle = products[0].weights.begin() + x.desc().shape[1] * 4 * lstm.hidden;
  std::vector<Product> both = {{x, {products[0].weights.begin(), middle}},
                               {h, {middle, products[0].weights.end()}}};
  products = std::move(both);
  lstm.nodes.push_back(concat);
  return true;
}

}  // namespace

std::optional<LstmPattern> FindLstm(Node& tanh) {
  LstmPattern lstm;
  lstm.new_h = OnlyReaderOfType(tanh, "Mul");
  lstm.new_c = MadeBy(tanh.input(0), "Add");
  if (lstm.new_h == nullptr || lstm.new_c == nullptr) return std::nullopt;
  Value whole;
  if (!ReadGate(Beside(*lstm.new_h, tanh.out()), "Sigmoid", LstmPattern::kOutput, lstm, whole)) {
    return std::nullopt;
  }
  Node* a = OwnMadeBy(lstm.new_c->input(0), "Mul");
  Node* b = OwnMadeBy(lstm.new_c->input(1), "Mul");
  if (a == nullptr || b == nullptr) return std::nullopt;
  if (!ReadCell(*a, *b, lstm, whole) && !ReadCell(*b, *a, lstm, whole)) return std::nullopt;
  std::array<int64_t, 4> parts = lstm.part;
  std::sort(parts.begin(), parts.end());
  if (parts != std::array<int64_t, 4>{0, 1, 2, 3}) return std::nullopt;
  const auto reads_gates = [&](const Use& use) {
    return std::find(lstm.nodes.begin(), lstm.nodes.end(), use.node) != lstm.nodes.end();
  };
  const std::span<const Use> uses = whole.node->uses(static_cast<size_t>(whole.index));
  if (!std::all_of(uses.begin(), uses.end(), reads_gates)) return std::nullopt;

  const int64_t columns = whole.desc().shape[1];
  lstm.hidden = columns / 4;
  lstm.bias.resize(static_cast<size_t>(columns));
  std::vector<Product> products;
  if (!ReadSum(whole, columns, lstm, products)) return std::nullopt;
  if (products.size() == 1 && !CutProduct(lstm, products)) return std::nullopt;
  if (products.size() != 2) return std::nullopt;
  if (!IsMatrix(products[1].x, lstm.hidden)) std::swap(products[0], products[1]);
  lstm.x = products[0].x;
  lstm.h = products[1].x;
  lstm.inputs = lstm.x.desc().shape[1];
  if (!LooksLike(*lstm.new_c, lstm.h) || !LooksLike(*lstm.new_c, lstm.c)) return std::nullopt;
  const TensorDesc &x = lstm.x.desc(), &state = lstm.h.desc();
  if (x.dtype != state.dtype || x.shape[0] != state.shape[0]) return std::nullopt;
  lstm.w = std::move(products[0].weights);
  lstm.r = std::move(products[1].weights);
  lstm.nodes.insert(lstm.nodes.end(), {&tanh, lstm.new_c, lstm.new_h});
  std::sort(lstm.nodes.begin(), lstm.nodes.end(),
            [](const Node* first, const Node* second) { return first->index() < second->index(); });
  return lstm;
}

}  // namespace ge
