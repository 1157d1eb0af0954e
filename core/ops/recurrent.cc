// CommonLSTM, CommonGRU, CommonRNN: recurrent layers with the tensors of ONNX LSTM, GRU and RNN.
//
//   x [S, B, I]    w [D, G * H, I]    r [D, G * H, H]    b [D, 2 * G * H], optional
//   sequence_lens [B], initial_h [D, B, H], LSTM also initial_c [D, B, H] and p [D, 3 * H]:
//   optional y [S, D, B, H]    y_h, LSTM also y_c [D, B, H]
//
// S steps, B batch, I inputs, H hidden_size, D directions (2 when direction is bidirectional), G
// gates: 4 in the order iofc (LSTM), 3 in the order zrh (GRU), 1 (RNN).  activations names one
// function per direction and gate kind; activation_alpha and activation_beta then hold one value
// for each of them.  clip below 0: none.
//
// CommonLSTM also takes w and r of int8 or uint8, with inputs beyond the prototype: 8 and 9 are
// scale and zero point of w, 10 and 11 those of r, [D] or [D, G * H].  Then x as a whole, and h in
// every step, are rounded to 256 levels that hold 0 and all of it.  With float weights the extra
// attribute quantize_state does so with h alone.
// Source: prototypes in tables/ops.json; ONNX LSTM, GRU, RNN.  CommonRNN is not a GE operator.
#include "kernels/recurrent.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

struct Cell {
  std::string_view type;
  int64_t gates;
  bool has_cell_state;
};
constexpr Cell kCells[] = {
    {"CommonLSTM", 4, true}, {"CommonGRU", 3, false}, {"CommonRNN", 1, false}};

const Cell& CellOf(const InferContext& ctx) {
  for (const Cell& cell : kCells) {
    if (cell.type == ctx.node().type()) return cell;
  }
  return kCells[0];
}

// The shape of input i merged with what it must be.
Result<Shape> Expect(const InferContext& ctx, size_t i, const Shape& expected) {
  if (!ctx.has_input(i)) return expected;
  if (const std::optional<Shape> merged = MergeShapes(ctx.shape(i), expected)) return *merged;
  return ctx.Fail("input " + InputNames(ctx.node())[i] + " has shape " + ctx.shape(i).ToString() +
                  "; " + expected.ToString() + " is accepted");
}

// Weights of 8 bits, `rows` of them, each with one scale and zero point per direction or row.
Status CheckByteWeights(const InferContext& ctx, int64_t directions, int64_t rows) {
  const bool has_bytes = IsByte(ctx.dtype(1)) || IsByte(ctx.dtype(2));
  for (size_t i = 8; i < 12; ++i) {
    if (ctx.has_input(i) != has_bytes) {
      return ctx.Fail("scales and zero points at inputs 8 to 11 are " +
                      std::string(has_bytes ? "missing" : "there") + " where w is " +
                      std::string(UserName(ctx.dtype(1))));
    }
    if (!has_bytes) continue;
    const size_t weights = i < 10 ? 1 : 2;
    const bool is_scale = i % 2 == 0;
    const bool has_dtype = is_scale ? IsFloat(ctx.dtype(i)) : ctx.dtype(i) == ctx.dtype(weights);
    if (!has_dtype || !IsByte(ctx.dtype(weights))) {
      return ctx.Fail("input " + std::to_string(weights) + " is " +
                      std::string(UserName(ctx.dtype(weights))) + " and its " +
                      (is_scale ? "scale " : "zero point ") + std::string(UserName(ctx.dtype(i))));
    }
    if (MergeShapes(ctx.shape(i), {directions}) || MergeShapes(ctx.shape(i), {directions, rows})) {
      continue;
    }
    return ctx.Fail("input " + std::to_string(i) + " has shape " + ctx.shape(i).ToString() + "; " +
                    Shape{directions}.ToString() + " or " + Shape{directions, rows}.ToString() +
                    " is accepted");
  }
  return Status::Ok();
}

Status InferRecurrent(InferContext& ctx) {
  const Cell& cell = CellOf(ctx);
  const int64_t hidden = ctx.Int("hidden_size");
  if (hidden < 1 || hidden > INT32_MAX) {
    return ctx.Fail("hidden_size is " + std::to_string(hidden) + "; 1 or more is accepted");
  }
  const std::string direction = ctx.Str("direction");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    return ctx.Fail("direction is \"" + direction +
                    "\"; forward, reverse and bidirectional are accepted");
  }
  const int64_t directions = direction == "bidirectional" ? 2 : 1;
  const int64_t rows = cell.gates * hidden;
  GE_ASSIGN(const Shape x, Expect(ctx, 0, Shape::UnknownDims(3)));
  GE_TRY(Expect(ctx, 1, {directions, rows, x[2]}).status());
  GE_TRY(Expect(ctx, 2, {directions, rows, hidden}).status());
  GE_TRY(Expect(ctx, 3, {directions, 2 * rows}).status());
  GE_TRY(CheckByteWeights(ctx, directions, rows));
  int64_t batch = x[1];
  if (ctx.has_input(4)) {
    GE_ASSIGN(const Shape lengths, Expect(ctx, 4, {batch}));
    batch = lengths[0];
  }
  GE_ASSIGN(Shape state, Expect(ctx, 5, {directions, batch, hidden}));
  if (cell.has_cell_state) {
    GE_ASSIGN(state, Expect(ctx, 6, state));
    GE_TRY(Expect(ctx, 7, {directions, 3 * hidden}).status());
  }
  ctx.SetOutput(0, ctx.dtype(0), {x[0], directions, state[1], hidden});
  ctx.SetOutput(1, ctx.dtype(0), state);
  ctx.SetOutput(2, ctx.dtype(0), state);
  return Status::Ok();
}

constexpr OpImpl kImpls[] = {
    {.type = "CommonLSTM",
     .infer = InferRecurrent,
     .run_host = kernels::Lstm,
     .prepare = kernels::PrepareLstm},
    {.type = "CommonGRU",
     .infer = InferRecurrent,
     .run_host = kernels::Gru,
     .prepare = kernels::PrepareGru},
    {.type = "CommonRNN",
     .infer = InferRecurrent,
     .run_host = kernels::Rnn,
     .prepare = kernels::PrepareRnn},
};
GE_OP(kImpls);

}  // namespace
}  // namespace ge
