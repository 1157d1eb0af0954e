#include "ops/einsum_equation.h"

#include <array>

namespace ge {
namespace {

Result<EinsumTerm> ParseTerm(const InferContext& ctx, std::string_view text) {
  EinsumTerm term;
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
EinsumTerm ImpliedOutput(const std::vector<EinsumTerm>& inputs) {
  std::array<int, 128> count = {};
  EinsumTerm output;
  for (const EinsumTerm& term : inputs) {
    for (const char letter : term.letters) ++count[static_cast<size_t>(letter)];
    if (term.ellipsis) output.ellipsis = 0;
  }
  for (size_t letter = 0; letter < count.size(); ++letter) {
    if (count[letter] == 1) output.letters += static_cast<char>(letter);
  }
  return output;
}

}  // namespace

Result<EinsumEquation> ParseEinsum(const InferContext& ctx) {
  std::string text = ctx.Str("equation");
  std::erase(text, ' ');
  EinsumEquation equation;
  const size_t arrow = text.find("->");
  std::string_view terms = std::string_view(text).substr(0, arrow);
  while (true) {
    const size_t comma = terms.find(',');
    GE_ASSIGN(EinsumTerm term, ParseTerm(ctx, terms.substr(0, comma)));
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

}  // namespace ge
