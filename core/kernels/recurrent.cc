#include "kernels/recurrent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <variant>

#include "kernels/gate_function.h"
#include "kernels/level_dots.h"
#include "kernels/row_dots.h"
#include "kernels/row_panels.h"
#include "kernels/simd.h"
#include "kernels/wide.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

enum Input {
  kX,
  kW,
  kR,
  kB,
  kLengths,
  kInitialH,
  kInitialC,
  kPeepholes,
  kWScale,  // of weights of 8 bits, each followed by the zero point
  kRScale = kWScale + 2,
};

struct Sizes {
  int64_t steps, batch, inputs, hidden, directions, gates;
};

// What the attributes say, for one direction.
struct Cell {
  std::vector<GateFunction> functions;
  float clip = 0;  // 0: none
  bool input_forget = false;
  bool linear_before_reset = false;
  bool quantize_state = false;
};

Result<std::vector<Cell>> CellsOf(const KernelContext& ctx, int64_t directions,
                                  std::span<const GateFunction::Kind> defaults) {
  const auto* names = ctx.attrs.node().attrs().Get<std::vector<std::string>>("activations");
  const std::vector<float> alpha = ctx.attrs.Floats("activation_alpha");
  const std::vector<float> beta = ctx.attrs.Floats("activation_beta");
  const std::string& type = ctx.attrs.node().type();
  std::vector<Cell> cells(static_cast<size_t>(directions));
  for (size_t d = 0; d < cells.size(); ++d) {
    Cell& cell = cells[d];
    cell.clip = std::max(ctx.attrs.Float("clip"), 0.0f);
    cell.input_forget = type == "CommonLSTM" && ctx.attrs.Int("input_forget") != 0;
    cell.linear_before_reset = type == "CommonGRU" && ctx.attrs.Int("linear_before_reset") != 0;
    cell.quantize_state = ctx.attrs.Has("quantize_state") && ctx.attrs.Int("quantize_state") != 0;
    for (size_t i = 0; i < defaults.size(); ++i) {
      GateFunction function{.kind = defaults[i]};
      if (names != nullptr && !names->empty()) {
        const size_t at = d * defaults.size() + i;
        const auto kind = at < names->size() ? FindGateFunction((*names)[at]) : std::nullopt;
        if (!kind || at >= alpha.size() || at >= beta.size()) {
          return ctx.Fail("activations with their alpha and beta are not given in full");
        }
        function = {*kind, alpha[at], beta[at]};
      }
      cell.functions.push_back(function);
    }
  }
  return cells;
}

// Steps of every sequence of the batch.
Result<std::vector<int64_t>> LengthsOf(const KernelContext& ctx, const Sizes& sizes) {
  std::vector<int64_t> lengths(static_cast<size_t>(sizes.batch), sizes.steps);
  if (!ctx.has_input(kLengths)) return lengths;
  const auto given = ToInts(ctx.inputs[kLengths]);
  if (!given) return ctx.NotBuilt();
  for (const int64_t length : *given) {
    if (length < 0 || length > sizes.steps) {
      return ctx.Fail("sequence length " + std::to_string(length) + " is outside 0 to " +
                      std::to_string(sizes.steps));
    }
  }
  return *given;
}

template <typename C>
void AddTo(C* to, const C* from, int64_t count) {
  Vectorised([&]() GE_INLINE {
    for (int64_t i = 0; i < count; ++i) to[i] += from[i];
  });
}

template <typename C>
void Clip(C* x, int64_t count, float limit) {
  if (limit == 0) return;
  const C high = static_cast<C>(limit), low = -high;
  for (int64_t i = 0; i < count; ++i) x[i] = std::clamp(x[i], low, high);
}

// Rounds to 256 levels, one of them 0, from the least to the greatest element.
template <typename C>
void RoundToLevels(C* x, int64_t count) {
  C low = 0, high = 0;
  for (int64_t i = 0; i < count; ++i) {
    low = x[i] < low ? x[i] : low;
    high = x[i] > high ? x[i] : high;
  }
  const C scale = high == low ? C{1} : (high - low) / C{255};
  const C zero = std::nearbyint(std::clamp(-low / scale, C{0}, C{255}));
  Vectorised([=]() GE_INLINE {
    for (int64_t i = 0; i < count; ++i) {
      C level = std::nearbyint(x[i] / scale) + zero;
      level = level < C{0} ? C{0} : level;
      level = level > C{255} ? C{255} : level;
      x[i] = (level - zero) * scale;
    }
  });
}

// Constant weights of one direction.
using PackedMatrix = std::variant<RowPanels, LevelMatrix>;
struct PackedWeights {
  PackedMatrix w, r;
  std::optional<RowPanels> r_of_later;  // the hidden gate of a GRU that multiplies it apart
};

uint64_t BytesOf(const PackedMatrix& matrix) {
  if (const auto* levels = std::get_if<LevelMatrix>(&matrix)) return levels->lines.bytes();
  return std::get<RowPanels>(matrix).bytes();
}

// Direction `d` of the weights at input `weights`, [D, rows, depth]; scale and zero point follow at
// `scale`.
Result<LevelMatrix> ReadLevels(const KernelContext& ctx, size_t weights, size_t scale, int64_t d) {
  const HostTensor& codes = ctx.inputs[weights];
  const int64_t rows = codes.shape[1], depth = codes.shape[2];
  const auto scales = ToDoubles(ctx.inputs[scale]);
  const auto zeros = ToInts(ctx.inputs[scale + 1]);
  if (!scales || !zeros) return ctx.NotBuilt();
  LevelMatrix matrix;
  matrix.depth = depth;
  matrix.lines = PackBytes(Side::kRight, codes.dtype, codes.as<uint8_t>() + d * rows * depth, rows,
                           depth, depth, 1);
  const auto of_direction = [&](const auto& list, auto take) {
    const int64_t count = static_cast<int64_t>(list.size()) / codes.shape[0];
    for (int64_t i = d * count; i < (d + 1) * count; ++i) take(list[static_cast<size_t>(i)]);
  };
  of_direction(*scales, [&](double s) { matrix.scales.push_back(static_cast<float>(s)); });
  const int64_t shift = ShiftFor(codes.dtype, Side::kRight);
  of_direction(*zeros, [&](int64_t z) { matrix.zeros.push_back(static_cast<int32_t>(z + shift)); });
  return matrix;
}

// `rows` of the weights of direction `d`, from row `first`.
RowPanels PackRows(const HostTensor& weights, int64_t d, int64_t first, int64_t rows) {
  const int64_t depth = weights.shape[2];
  const WideInput<float> wide(weights);
  return RowPanels(wide.data() + (d * weights.shape[1] + first) * depth, rows, depth);
}

// `later` rows at the end of r are kept apart.
Result<std::vector<PackedWeights>> PackWeights(const KernelContext& ctx, int64_t later) {
  const HostTensor& w = ctx.inputs[kW];
  const HostTensor& r = ctx.inputs[kR];
  std::vector<PackedWeights> directions;
  for (int64_t d = 0; d < w.shape[0]; ++d) {
    if (IsByte(w.dtype)) {
      GE_ASSIGN(LevelMatrix w_levels, ReadLevels(ctx, kW, kWScale, d));
      GE_ASSIGN(LevelMatrix r_levels, ReadLevels(ctx, kR, kRScale, d));
      directions.push_back({std::move(w_levels), std::move(r_levels), std::nullopt});
      continue;
    }
    const int64_t at_once = r.shape[1] - later;
    directions.push_back({PackRows(w, d, 0, w.shape[1]), PackRows(r, d, 0, at_once), std::nullopt});
    if (later != 0) directions.back().r_of_later = PackRows(r, d, at_once, later);
  }
  return directions;
}

// One direction of one layer: tensors of that direction, states [batch, hidden] in and out.
template <typename C>
struct Direction {
  const Sizes& sizes;
  const Cell& cell;
  const PackedWeights* packed;  // instead of w and r; null: none
  const C* w;
  const C* r;
  const C* bias;       // [2 * gates * hidden] or null
  const C* peepholes;  // [3 * hidden] or null
  C* h;
  C* c;                           // LSTM
  std::vector<C> projected = {};  // x of all steps times w, and the biases
  std::vector<C> recurrent = {};  // h times r, for one step
  std::vector<C> scratch = {};
  std::vector<C> levels = {};  // h, rounded

  int64_t rows() const { return sizes.gates * sizes.hidden; }
  // GRU multiplies the hidden gate after the reset when it is not linear before it.
  int64_t later_rows() const {
    return sizes.gates == 3 && !cell.linear_before_reset ? sizes.hidden : 0;
  }
  // The bias that stays apart from the input's: GRU's of the hidden gate behind the reset.
  bool bias_of_hidden_is_apart() const { return cell.linear_before_reset && bias != nullptr; }

  // `count` rows of x times `lines` rows of weights.
  void Dots(const C* x, int64_t count, const C* weights, int64_t lines, int64_t depth,
            const PackedMatrix* instead, C* to) const {
    if constexpr (std::is_same_v<C, float>) {
      if (instead != nullptr) {
        if (const auto* levels = std::get_if<LevelMatrix>(instead)) {
          return LevelDots(x, count, *levels, to);
        }
        return std::get<RowPanels>(*instead).Dots(x, count, to, rows());
      }
    }
    RowDots(x, count, weights, lines, depth, to, rows());
  }

  // One row of x times the rows of r that come later.
  void LaterDots(const C* x, C* to) const {
    const int64_t hidden = sizes.hidden;
    if constexpr (std::is_same_v<C, float>) {
      if (packed != nullptr) return packed->r_of_later->Dots(x, 1, to, hidden);
    }
    RowDots(x, 1, r + (rows() - hidden) * hidden, hidden, hidden, to, hidden);
  }

  void Project(const C* x) {
    const int64_t count = sizes.steps * sizes.batch;
    projected.resize(static_cast<size_t>(count * rows()));
    recurrent.resize(static_cast<size_t>(sizes.batch * rows()));
    scratch.resize(static_cast<size_t>(sizes.batch * 2 * sizes.hidden));
    Dots(x, count, w, rows(), sizes.inputs, packed == nullptr ? nullptr : &packed->w,
         projected.data());
    if (bias == nullptr) return;
    std::vector<C> sum(bias, bias + rows());
    const int64_t joined = bias_of_hidden_is_apart() ? rows() - sizes.hidden : rows();
    AddTo(sum.data(), bias + rows(), joined);
    for (int64_t i = 0; i < count; ++i) AddTo(projected.data() + i * rows(), sum.data(), rows());
  }
};

// gates: i, o, f, c of one sequence; they are overwritten.
template <typename C>
void LstmStep(Direction<C>& layer, C* gates, const C* recurrent, int64_t b) {
  const int64_t hidden = layer.sizes.hidden;
  const std::vector<GateFunction>& functions = layer.cell.functions;
  C* cell = layer.c + b * hidden;
  C* h = layer.h + b * hidden;
  C *i = gates, *o = gates + hidden, *f = gates + 2 * hidden, *c = gates + 3 * hidden;
  AddTo(gates, recurrent, 4 * hidden);
  const C* p = layer.peepholes;
  if (p != nullptr) {
    for (int64_t k = 0; k < hidden; ++k) {
      i[k] += p[k] * cell[k];
      f[k] += p[2 * hidden + k] * cell[k];
    }
  }
  Clip(i, hidden, layer.cell.clip);
  Clip(f, 2 * hidden, layer.cell.clip);
  functions[0].Apply(i, hidden);
  if (layer.cell.input_forget) {
    for (int64_t k = 0; k < hidden; ++k) f[k] = 1 - i[k];
  } else {
    functions[0].Apply(f, hidden);
  }
  functions[1].Apply(c, hidden);
  Vectorised([&]() GE_INLINE {
    for (int64_t k = 0; k < hidden; ++k) cell[k] = f[k] * cell[k] + i[k] * c[k];
  });
  if (p != nullptr) {
    for (int64_t k = 0; k < hidden; ++k) o[k] += p[hidden + k] * cell[k];
  }
  Clip(o, hidden, layer.cell.clip);
  functions[0].Apply(o, hidden);
  std::copy_n(cell, hidden, c);  // not clipped: other engines bound the gates alone
  functions[2].Apply(c, hidden);
  Vectorised([&]() GE_INLINE {
    for (int64_t k = 0; k < hidden; ++k) h[k] = o[k] * c[k];
  });
}

// gates: z, r, h of one sequence.
template <typename C>
void GruStep(Direction<C>& layer, C* gates, const C* recurrent, int64_t b) {
  const int64_t hidden = layer.sizes.hidden;
  const std::vector<GateFunction>& functions = layer.cell.functions;
  C* h = layer.h + b * hidden;
  C *z = gates, *r = gates + hidden, *n = gates + 2 * hidden;
  AddTo(gates, recurrent, 2 * hidden);
  Clip(gates, 2 * hidden, layer.cell.clip);
  functions[0].Apply(z, 2 * hidden);
  C* term = layer.scratch.data() + b * 2 * hidden;
  if (layer.cell.linear_before_reset) {
    std::copy_n(recurrent + 2 * hidden, hidden, term);
    if (layer.bias != nullptr) AddTo(term, layer.bias + layer.rows() + 2 * hidden, hidden);
    for (int64_t k = 0; k < hidden; ++k) term[k] *= r[k];
  } else {
    C* reset = term + hidden;
    for (int64_t k = 0; k < hidden; ++k) reset[k] = r[k] * h[k];
    layer.LaterDots(reset, term);
  }
  AddTo(n, term, hidden);
  Clip(n, hidden, layer.cell.clip);
  functions[1].Apply(n, hidden);
  Vectorised([&]() GE_INLINE {
    for (int64_t k = 0; k < hidden; ++k) h[k] = (1 - z[k]) * n[k] + z[k] * h[k];
  });
}

template <typename C>
void RnnStep(Direction<C>& layer, C* gates, const C* recurrent, int64_t b) {
  const int64_t hidden = layer.sizes.hidden;
  AddTo(gates, recurrent, hidden);
  Clip(gates, hidden, layer.cell.clip);
  layer.cell.functions[0].Apply(gates, hidden);
  std::copy_n(gates, hidden, layer.h + b * hidden);
}

template <typename C>
using StepFn = void (*)(Direction<C>&, C*, const C*, int64_t);

// y may be null; row (step, sequence) of it starts at y + (step * batch * directions + sequence) *
// hidden.
template <typename C>
void RunDirection(Direction<C>& layer, const C* x, bool reverse,
                  const std::vector<int64_t>& lengths, StepFn<C> step, C* y) {
  const Sizes& sizes = layer.sizes;
  const int64_t hidden = sizes.hidden;
  const int64_t at_once = layer.rows() - layer.later_rows();
  layer.Project(x);
  for (int64_t s = 0; s < sizes.steps; ++s) {
    const C* h = layer.h;
    if (layer.cell.quantize_state) {
      layer.levels.assign(h, h + sizes.batch * hidden);
      RoundToLevels(layer.levels.data(), sizes.batch * hidden);
      h = layer.levels.data();
    }
    layer.Dots(h, sizes.batch, layer.r, at_once, hidden,
               layer.packed == nullptr ? nullptr : &layer.packed->r, layer.recurrent.data());
    for (int64_t b = 0; b < sizes.batch; ++b) {
      const int64_t length = lengths[static_cast<size_t>(b)];
      if (s >= length) continue;
      const int64_t t = reverse ? length - 1 - s : s;
      step(layer, layer.projected.data() + (t * sizes.batch + b) * layer.rows(),
           layer.recurrent.data() + b * layer.rows(), b);
      if (y == nullptr) continue;
      std::copy_n(layer.h + b * hidden, hidden,
                  y + (t * sizes.batch * sizes.directions + b) * hidden);
    }
  }
}

// Runs all directions.  `has_cell` is LSTM's second state.
template <typename C>
Status RunLayer(KernelContext& ctx, const Sizes& sizes, const std::vector<Cell>& cells,
                const std::vector<PackedWeights>& packed, StepFn<C> step, bool has_cell) {
  GE_ASSIGN(const std::vector<int64_t> lengths, LengthsOf(ctx, sizes));
  const auto input = [&](size_t i) {
    return WideInput<C>(ctx.has_input(i) ? ctx.inputs[i] : ctx.inputs[kX]);
  };
  const WideInput<C> x = input(kX);
  const WideInput<C> w = input(packed.empty() ? kW : kX), r = input(packed.empty() ? kR : kX);
  const WideInput<C> bias = input(kB), initial_h = input(kInitialH);
  const WideInput<C> initial_c = input(has_cell ? kInitialC : kX);
  const WideInput<C> peepholes = input(has_cell ? kPeepholes : kX);
  WideOutput<C> y(ctx.outputs[0]), y_h(ctx.outputs[1]), y_c(ctx.outputs[has_cell ? 2 : 1]);
  const int64_t state = sizes.batch * sizes.hidden, rows = sizes.gates * sizes.hidden;
  std::vector<C> unused;
  C* h_of = y_h.data();
  C* c_of = has_cell ? y_c.data() : nullptr;
  if (y.data() != nullptr) {
    std::fill_n(y.data(), sizes.steps * sizes.directions * state, C{0});
  }
  for (int64_t d = 0; d < sizes.directions; ++d) {
    Direction<C> layer{
        .sizes = sizes,
        .cell = cells[static_cast<size_t>(d)],
        .packed = packed.empty() ? nullptr : &packed[static_cast<size_t>(d)],
        .w = w.data() + d * rows * sizes.inputs,
        .r = r.data() + d * rows * sizes.hidden,
        .bias = ctx.has_input(kB) ? bias.data() + d * 2 * rows : nullptr,
        .peepholes = has_cell && ctx.has_input(kPeepholes) ? peepholes.data() + d * 3 * sizes.hidden
                                                           : nullptr,
        .h = h_of + d * state,
        .c = has_cell ? c_of + d * state : nullptr,
    };
    const auto start = [&](size_t i, const WideInput<C>& initial, C* to) {
      if (ctx.has_input(i)) {
        std::copy_n(initial.data() + d * state, state, to);
      } else {
        std::fill_n(to, state, C{0});
      }
    };
    start(kInitialH, initial_h, layer.h);
    if (has_cell) start(kInitialC, initial_c, layer.c);
    const bool reverse = d == 1 || ctx.attrs.Str("direction") == "reverse";
    RunDirection(layer, x.data(), reverse, lengths, step,
                 y.data() == nullptr ? nullptr : y.data() + d * state);
  }
  y.Store();
  y_h.Store();
  if (has_cell) y_c.Store();
  return Status::Ok();
}

template <template <typename> typename Steps>
Status Run(KernelContext& ctx, const std::vector<PackedWeights>& packed) {
  const Shape& x = ctx.inputs[kX].shape;
  const Shape& w = ctx.inputs[kW].shape;
  const int64_t hidden = ctx.attrs.Int("hidden_size");
  const Sizes sizes = {x[0], x[1], x[2], hidden, w[0], w[1] / hidden};
  GE_ASSIGN(const std::vector<Cell> cells, CellsOf(ctx, sizes.directions, Steps<float>::kDefaults));
  switch (ctx.inputs[kX].dtype) {
    case DataType::kFloat:
    case DataType::kFloat16:
    case DataType::kBf16:
      return RunLayer<float>(ctx, sizes, cells, packed, Steps<float>::kStep, sizes.gates == 4);
    case DataType::kDouble:
      if (!packed.empty()) return ctx.NotBuilt();
      return RunLayer<double>(ctx, sizes, cells, packed, Steps<double>::kStep, sizes.gates == 4);
    default:
      return ctx.NotBuilt();
  }
}

constexpr GateFunction::Kind kSigmoid = GateFunction::Kind::kSigmoid;
constexpr GateFunction::Kind kTanh = GateFunction::Kind::kTanh;

template <typename C>
struct LstmSteps {
  static constexpr StepFn<C> kStep = LstmStep<C>;
  static constexpr std::array kDefaults = {kSigmoid, kTanh, kTanh};
};
template <typename C>
struct GruSteps {
  static constexpr StepFn<C> kStep = GruStep<C>;
  static constexpr std::array kDefaults = {kSigmoid, kTanh};
};
template <typename C>
struct RnnSteps {
  static constexpr StepFn<C> kStep = RnnStep<C>;
  static constexpr std::array kDefaults = {kTanh};
};

// Kernels whose weights are constant, and packed.
template <template <typename> typename Steps>
class PreparedLayer : public PreparedKernel {
 public:
  explicit PreparedLayer(std::vector<PackedWeights> weights) : weights_(std::move(weights)) {}

  Status Run(KernelContext& ctx) const override { return kernels::Run<Steps>(ctx, weights_); }
  uint64_t bytes() const override {
    uint64_t total = 0;
    for (const PackedWeights& direction : weights_) {
      total += BytesOf(direction.w) + BytesOf(direction.r);
      if (direction.r_of_later) total += direction.r_of_later->bytes();
    }
    return total;
  }

 private:
  const std::vector<PackedWeights> weights_;
};

template <template <typename> typename Steps>
Result<std::unique_ptr<const PreparedKernel>> Prepare(const KernelContext& ctx, int64_t later) {
  std::unique_ptr<const PreparedKernel> prepared;
  const bool has_bytes = IsByte(ctx.inputs[kW].dtype);
  bool is_constant = ctx.has_input(kW) && ctx.has_input(kR);
  for (size_t i = kWScale; has_bytes && i < kRScale + 2; ++i) is_constant &= ctx.has_input(i);
  if (!is_constant || ctx.inputs[kX].dtype == DataType::kDouble) return prepared;
  GE_ASSIGN(std::vector<PackedWeights> weights, PackWeights(ctx, later));
  prepared = std::make_unique<PreparedLayer<Steps>>(std::move(weights));
  return prepared;
}

}  // namespace

Status Lstm(KernelContext& ctx) {
  std::vector<PackedWeights> weights;
  if (IsByte(ctx.inputs[kW].dtype)) {
    GE_ASSIGN(weights, PackWeights(ctx, 0));
  }
  return Run<LstmSteps>(ctx, weights);
}

Status Gru(KernelContext& ctx) {
  return Run<GruSteps>(ctx, {});
}

Status Rnn(KernelContext& ctx) {
  return Run<RnnSteps>(ctx, {});
}

Result<std::unique_ptr<const PreparedKernel>> PrepareLstm(const KernelContext& ctx) {
  return Prepare<LstmSteps>(ctx, 0);
}

Result<std::unique_ptr<const PreparedKernel>> PrepareGru(const KernelContext& ctx) {
  const bool is_linear = ctx.attrs.Int("linear_before_reset") != 0;
  return Prepare<GruSteps>(ctx, is_linear ? 0 : ctx.attrs.Int("hidden_size"));
}

Result<std::unique_ptr<const PreparedKernel>> PrepareRnn(const KernelContext& ctx) {
  return Prepare<RnnSteps>(ctx, 0);
}

}  // namespace ge::kernels
