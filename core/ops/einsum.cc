// Einsum: sums of products over named axes, as the attribute equation says ("bij,bjk->bik").
//
// Inputs: one per term before "->".  A letter stands for an axis of the same length (or 1, which is
// repeated) wherever it occurs, "..." for any number of leading axes that broadcast.  Without "->"
// the result has the axes of "..." and then every letter that occurs once, in ASCII order.
// Source: prototype Einsum in tables/ops.json; ONNX Einsum.
#include <array>

#include "kernels/einsum.h"
#include "ops/einsum_equation.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

// Dim of an axis that one input has as `a` and another as `b`; nullopt when they do not fit.
std::optional<int64_t> Fit(int64_t a, int64_t b) {
  if (a == 1) return b;
  if (b == 1) return a;
  return MergeDims(a, b);
}

// What the inputs tell about the axes.
class Axes {
 public:
  Axes() { dims_.fill(kAbsent); }

  Status AddInput(const InferContext& ctx, size_t i, const EinsumTerm& term) {
    const Shape& shape = ctx.shape(i);
    if (shape.unknown_rank()) {
      for (const char letter : term.letters) GE_TRY(AddDim(ctx, letter, kUnknownDim));
      if (term.ellipsis) ellipsis_ = Shape::UnknownRank();
      return Status::Ok();
    }
    const size_t named = term.letters.size();
    if (term.ellipsis ? shape.rank() < named : shape.rank() != named) {
      return ctx.Fail("input " + std::to_string(i) + " has shape " + shape.ToString() +
                      ", but its term names " + std::to_string(named) + " axes");
    }
    const size_t extra = shape.rank() - named;
    const size_t first = term.ellipsis.value_or(named);
    for (size_t k = 0; k < named; ++k) {
      const int64_t dim = shape[k < first ? k : k + extra];
      GE_TRY(CheckDiagonal(ctx, shape, term, k, dim, extra));
      GE_TRY(AddDim(ctx, term.letters[k], dim));
    }
    if (!term.ellipsis) return Status::Ok();
    const Shape middle(shape.dims().subspan(first, extra));
    if (!ellipsis_) {
      ellipsis_ = middle;
      return Status::Ok();
    }
    GE_ASSIGN(ellipsis_, Broadcast(ctx, *ellipsis_, middle));
    return Status::Ok();
  }

  Result<Shape> Output(const InferContext& ctx, const EinsumTerm& term) const {
    if (ellipsis_ && !term.ellipsis) {
      return ctx.Fail("the inputs of equation \"" + ctx.Str("equation") +
                      "\" have \"...\", the result has not");
    }
    if (term.ellipsis && ellipsis_ && ellipsis_->unknown_rank()) return Shape::UnknownRank();
    std::vector<int64_t> dims;
    for (size_t k = 0; k <= term.letters.size(); ++k) {
      if (term.ellipsis == k && ellipsis_) {
        dims.insert(dims.end(), ellipsis_->dims().begin(), ellipsis_->dims().end());
      }
      if (k == term.letters.size()) break;
      const int64_t dim = dims_[static_cast<size_t>(term.letters[k])];
      if (dim == kAbsent) {
        return ctx.Fail(std::string("axis ") + term.letters[k] + " of the result of equation \"" +
                        ctx.Str("equation") + "\" is in no input");
      }
      dims.push_back(dim);
    }
    return Shape(std::move(dims));
  }

 private:
  static constexpr int64_t kAbsent = -3;

  Status AddDim(const InferContext& ctx, char letter, int64_t dim) {
    int64_t& known = dims_[static_cast<size_t>(letter)];
    const std::optional<int64_t> merged = known == kAbsent ? dim : Fit(known, dim);
    if (!merged) {
      return ctx.Fail(std::string("axis ") + letter + " of equation \"" + ctx.Str("equation") +
                      "\" has lengths " + std::to_string(known) + " and " + std::to_string(dim));
    }
    known = *merged;
    return Status::Ok();
  }

  // A letter that a term repeats takes the diagonal of two equal axes.
  static Status CheckDiagonal(const InferContext& ctx, const Shape& shape, const EinsumTerm& term,
                              size_t k, int64_t dim, size_t extra) {
    const size_t other = term.letters.find(term.letters[k]);
    if (other == k) return Status::Ok();
    const int64_t other_dim =
        shape[other < term.ellipsis.value_or(term.letters.size()) ? other : other + extra];
    if (SameOrUnknown(dim, other_dim)) return Status::Ok();
    return ctx.Fail(std::string("axis ") + term.letters[k] + " stands twice for shape " +
                    shape.ToString() + ", for lengths " + std::to_string(other_dim) + " and " +
                    std::to_string(dim));
  }

  std::array<int64_t, 128> dims_;
  std::optional<Shape> ellipsis_;
};

Status InferEinsum(InferContext& ctx) {
  if (ctx.input_count() == 0) return ctx.Fail("there are no inputs");
  GE_TRY(SameDtypes(ctx));
  GE_ASSIGN(const EinsumEquation equation, ParseEinsum(ctx));
  Axes axes;
  for (size_t i = 0; i < equation.inputs.size(); ++i) {
    GE_TRY(axes.AddInput(ctx, i, equation.inputs[i]));
  }
  GE_ASSIGN(Shape y, axes.Output(ctx, equation.output));
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kEinsum = {.type = "Einsum", .infer = InferEinsum, .run_host = kernels::Einsum};
GE_OP(kEinsum);

}  // namespace
}  // namespace ge
