// FuseLstmCell: one step of an LSTM that is written out (lstm_pattern.h)   becomes   CommonLSTM of
// one step, with Unsqueeze and Squeeze of the axis of steps around.
//
// Applies when the weights are constant, all sizes are known, and nobody else reads values between.
// CommonLSTM computes the same formula; sums may run in another order, and float16 is rounded once
// instead of after every operator.
#include "ops/op_impl.h"
#include "passes/lstm_pattern.h"
#include "passes/pass.h"
#include "passes/scaled_const.h"

namespace ge {
namespace {

constexpr std::array kGates = {LstmPattern::kInput, LstmPattern::kOutput, LstmPattern::kForget,
                               LstmPattern::kCell};

// A new constant, which stands last in the graph; null when a number cannot be represented.
Value AddFloats(const LstmPattern& lstm, std::string_view name, Shape shape,
                const std::vector<double>& numbers) {
  Node& end = *lstm.new_h;
  const TensorDesc desc = {end.output(0).dtype, Format::kND, std::move(shape)};
  std::vector<uint8_t> bytes = Rounded(numbers, desc.dtype);
  if (bytes.empty()) return {};
  return end.graph()
      .AddConst(end.name() + "/" + std::string(name), desc, Buffer::Own(std::move(bytes)))
      ->out();
}

// [rows, 4 * hidden] in the order of the pattern -> [4 * hidden, rows] in that of CommonLSTM.
std::vector<double> Turned(const LstmPattern& lstm, const std::vector<double>& weights) {
  const size_t hidden = static_cast<size_t>(lstm.hidden), rows = weights.size() / (4 * hidden);
  std::vector<double> turned;
  turned.reserve(weights.size());
  for (const LstmPattern::Gate gate : kGates) {
    const size_t begin = static_cast<size_t>(lstm.part[gate]) * hidden;
    for (size_t column = begin; column < begin + hidden; ++column) {
      for (size_t row = 0; row < rows; ++row) turned.push_back(weights[row * 4 * hidden + column]);
    }
  }
  return turned;
}

// CommonLSTM adds two biases; the second one is 0.
std::vector<double> Biases(const LstmPattern& lstm) {
  std::vector<double> biases = Turned(lstm, lstm.bias);
  for (size_t i = 0; i < biases.size(); ++i) {
    biases[i] += lstm.shift[i / static_cast<size_t>(lstm.hidden)];
  }
  biases.resize(2 * biases.size());
  return biases;
}

Result<Value> AddView(Node& end, std::string_view name, std::string_view type, Value x) {
  Node* view = end.graph().Add(type, end.name() + "/" + std::string(name), {x});
  view->AddSourceName(end.source_name());
  view->attrs().Set(type == "Squeeze" ? "axis" : "axes", std::vector<int64_t>{0});
  GE_TRY(InferNode(*view));
  return view->out();
}

}  // namespace

Result<size_t> FuseLstmCell(Graph& graph) {
  Removal removal(graph);
  size_t changes = 0;
  for (size_t i = 0, count = graph.size(); i < count; ++i) {
    Node& tanh = *graph.nodes()[i];
    if (tanh.type() != "Tanh" || removal.Has(tanh)) continue;
    const std::optional<LstmPattern> lstm = FindLstm(tanh);
    if (!lstm || !Takes("CommonLSTM", tanh.output(0).dtype)) continue;
    const int64_t rows = 4 * lstm->hidden;
    const Value w = AddFloats(*lstm, "w", {1, rows, lstm->inputs}, Turned(*lstm, lstm->w));
    const Value r = AddFloats(*lstm, "r", {1, rows, lstm->hidden}, Turned(*lstm, lstm->r));
    const Value b = AddFloats(*lstm, "b", {1, 2 * rows}, Biases(*lstm));
    if (!w || !r || !b) continue;
    Node& end = *lstm->new_h;
    GE_ASSIGN(const Value x, AddView(end, "x", "Unsqueeze", lstm->x));
    GE_ASSIGN(const Value h, AddView(end, "h", "Unsqueeze", lstm->h));
    GE_ASSIGN(const Value c, AddView(end, "c", "Unsqueeze", lstm->c));
    Node* cell = graph.Add("CommonLSTM", end.name() + "/CommonLSTM", {x, w, r, b, {}, h, c}, 3);
    cell->attrs().Set("hidden_size", lstm->hidden);
    GE_TRY(InferNode(*cell));
    cell->AddSourceName(lstm->nodes.front()->source_name());
    for (const Node* part : lstm->nodes) removal.TakeNames(*cell, *part);
    GE_ASSIGN(const Value new_h, AddView(end, "new_h", "Squeeze", cell->out(1)));
    graph.ReplaceUses(end.out(), new_h);
    removal.Add(end);
    ++changes;
    if (!lstm->new_c->has_uses()) continue;
    GE_ASSIGN(const Value new_c, AddView(end, "new_c", "Squeeze", cell->out(2)));
    graph.ReplaceUses(lstm->new_c->out(), new_c);
    removal.Add(*lstm->new_c);
  }
  removal.Finish();
  return changes;
}

}  // namespace ge
