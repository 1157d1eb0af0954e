// If: output i is output i of the then branch when the condition holds, else of the else branch.
//
//   cond []    input0..inputN-1: what the branches read    output0..outputM-1
//
// Where the branches disagree a dim is unknown (-1), where their ranks differ the rank is; their
// dtypes must agree.  Source: prototype If in tables/ops.json.
#include "ops/op_impl.h"

namespace ge {
namespace {

Shape Merge(const Shape& a, const Shape& b) {
  if (a == b) return a;
  if (a.unknown_rank() || b.unknown_rank() || a.rank() != b.rank()) return Shape::UnknownRank();
  Shape merged = a;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    if (a[axis] != b[axis]) merged[axis] = kUnknownDim;
  }
  return merged;
}

Status InferShape(InferContext& ctx) {
  const auto& branches = ctx.node().subgraphs();
  if (branches.size() != 2) return ctx.Fail("it needs two branches");
  for (const auto& branch : branches) {
    const Node* results = branch->net_output();
    if (results == nullptr || results->input_count() != ctx.output_count()) {
      return ctx.Fail("its outputs and the results of its branches differ in number");
    }
    for (size_t i = 0; i < results->input_count(); ++i) {
      if (!results->input(i)) return ctx.Fail("a branch misses result " + std::to_string(i));
    }
  }
  for (size_t i = 0; i < ctx.output_count(); ++i) {
    const TensorDesc& a = branches[0]->net_output()->input(i).desc();
    const TensorDesc& b = branches[1]->net_output()->input(i).desc();
    if (a.dtype != b.dtype) {
      return ctx.Fail("output " + std::to_string(i) + " is " + std::string(UserName(a.dtype)) +
                      " in the then branch and " + std::string(UserName(b.dtype)) +
                      " in the else branch");
    }
    ctx.SetOutput(i, a.dtype, Merge(a.shape, b.shape));
  }
  return Status::Ok();
}

constexpr OpImpl kIf = {.type = "If", .infer = InferShape};
GE_OP(kIf);

}  // namespace
}  // namespace ge
