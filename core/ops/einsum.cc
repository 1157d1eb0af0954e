// Einsum: sums of products over named axes, as the attribute equation says ("bij,bjk->bik").
//
// Inputs: one per term before "->".  A letter stands for an axis of the same length (or 1, which is
// repeated) wherever it occurs, "..." for any number of leading axes that broadcast.  Without "->"
// the result has the axes of "..." and then every letter that occurs once, in ASCII order.
// Source: prototype Einsum in tables/ops.json; ONNX Einsum.
#include <algorithm>
#include <array>

#include "ops/infer_rules.h"

namespace ge {
namespace {

// The axes that a term names.
struct Term {
  std::string letters;             // without the ellipsis
  std::optional<size_t> ellipsis;  // number of letters before it
};

struct Equation {
  std::vector<Term> inputs;
  Term output;
};

Result<Term> ParseTerm(const InferContext& ctx, std::string_view text) {
  Term term;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      term.letters += c;
    } else if (text.substr(i, 3) == "..." && !term.ellipsis) {
      term.ellipsis = term.letters.size();
      i += 2;
    } else {
      return ctx.Fail("term \"" + std::string(text) + "\" of the equation has \"" + c +
                      "\"; letters and one \"...\" are accepted");
    }
  }
  return term;
}

// Every letter that occurs once, behind the axes of "...".
Term ImpliedOutput(const std::vector<Term>& inputs) {
  std::array<int, 128> count = {};
  Term output;
  for (const Term& term : inputs) {
    for (const char letter : term.letters) ++count[static_cast<size_t>(letter)];
    if (term.ellipsis) output.ellipsis = 0;
  }
  for (size_t letter = 0; letter < count.size(); ++letter) {
    if (count[letter] == 1) output.letters += static_cast<char>(letter);
  }
  return output;
}

Result<Equation> Parse(const InferContext& ctx) {
  std::string text = ctx.Str("equation");
  std::erase(text, ' ');
  Equation equation;
  const size_t arrow = text.find("->");
  std::string_view terms = std::string_view(text).substr(0, arrow);
  while (true) {
    const size_t comma = terms.find(',');
    GE_ASSIGN(Term term, ParseTerm(ctx, terms.substr(0, comma)));
    equation.inputs.push_back(std::move(term));
    if (comma == std::string_view::npos) break;
    terms.remove_prefix(comma + 1);
  }
  if (equation.inputs.size() != ctx.input_count()) {
    return ctx.Fail("equation \"" + text + "\" has " + std::to_string(equation.inputs.size()) +
                    " terms for " + std::to_string(ctx.input_count()) + " inputs");
  }
  if (arrow == std::string::npos) {
    equation.output = ImpliedOutput(equation.inputs);
  } else {
    GE_ASSIGN(equation.output, ParseTerm(ctx, std::string_view(text).substr(arrow + 2)));
  }
  const std::string& letters = equation.output.letters;
  for (size_t i = 0; i < letters.size(); ++i) {
    if (letters.find(letters[i], i + 1) == std::string::npos) continue;
    return ctx.Fail("the result of equation \"" + text + "\" names axis " + letters[i] + " twice");
  }
  return equation;
}

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

  Status AddInput(const InferContext& ctx, size_t i, const Term& term) {
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
    const auto begin = shape.dims().begin() + static_cast<ptrdiff_t>(first);
    const Shape middle(std::vector<int64_t>(begin, begin + static_cast<ptrdiff_t>(extra)));
    if (!ellipsis_) {
      ellipsis_ = middle;
      return Status::Ok();
    }
    GE_ASSIGN(ellipsis_, Broadcast(ctx, *ellipsis_, middle));
    return Status::Ok();
  }

  Result<Shape> Output(const InferContext& ctx, const Term& term) const {
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
  static Status CheckDiagonal(const InferContext& ctx, const Shape& shape, const Term& term,
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
  GE_ASSIGN(const Equation equation, Parse(ctx));
  Axes axes;
  for (size_t i = 0; i < equation.inputs.size(); ++i) {
    GE_TRY(axes.AddInput(ctx, i, equation.inputs[i]));
  }
  GE_ASSIGN(Shape y, axes.Output(ctx, equation.output));
  ctx.SetOutput(0, ctx.dtype(0), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kEinsum = {.type = "Einsum", .infer = InferEinsum};
GE_OP(kEinsum);

}  // namespace
}  // namespace ge
