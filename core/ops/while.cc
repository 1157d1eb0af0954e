// While: as long as the cond graph gives true, the body graph makes the next states out of the
// present ones; output i is state i in the end.
//
//   input0..inputN-1: the first states    output0..outputN-1
//
// Data nodes of both graphs say by _parent_node_index which state they are; result i of the body is
// the next state i, result 0 of cond a bool.  A state whose shape changes has unknown dims in the
// graphs, and so has the output.  Source: prototype While in tables/ops.json.
#include "ops/op_impl.h"

namespace ge {
namespace {

// Whether a tensor that looks like `a` may be used where `b` is expected.
bool Fits(const TensorDesc& a, const TensorDesc& b) {
  if (a.dtype != b.dtype) return false;
  if (b.shape.unknown_rank()) return true;
  if (a.shape.unknown_rank() || a.shape.rank() != b.shape.rank()) return false;
  for (size_t axis = 0; axis < b.shape.rank(); ++axis) {
    if (b.shape[axis] != kUnknownDim && a.shape[axis] != b.shape[axis]) return false;
  }
  return true;
}

Status CheckStates(const InferContext& ctx, const Graph& graph, std::vector<const Node*>& states) {
  for (const Node* data : graph.InputNodes()) {
    const int64_t* port = data->attrs().Get<int64_t>("_parent_node_index");
    if (port == nullptr || *port < 0 || static_cast<size_t>(*port) >= states.size()) {
      return ctx.Fail("an input of its graphs stands for no state");
    }
    if (data->output_count() != 1) return ctx.Fail("an input of its graphs has not one output");
    const Node*& state = states[static_cast<size_t>(*port)];
    if (state == nullptr) state = data;
    if (data->output(0) != state->output(0)) {
      return ctx.Fail("state " + std::to_string(*port) + " looks different in its two graphs");
    }
  }
  return Status::Ok();
}

Status InferShape(InferContext& ctx) {
  const auto& graphs = ctx.node().subgraphs();
  if (graphs.size() != 2) return ctx.Fail("it needs a cond and a body graph");
  const Node *cond = graphs[0]->net_output(), *body = graphs[1]->net_output();
  const size_t count = ctx.output_count();
  if (ctx.input_count() != count || cond == nullptr || cond->input_count() != 1 ||
      !cond->input(0) || body == nullptr || body->input_count() != count) {
    return ctx.Fail("its inputs, its outputs and the results of its graphs differ in number");
  }
  if (cond->input(0).desc().dtype != DataType::kBool) return ctx.Fail("its condition is no bool");
  std::vector<const Node*> states(count);
  GE_TRY(CheckStates(ctx, *graphs[1], states));
  GE_TRY(CheckStates(ctx, *graphs[0], states));
  for (size_t i = 0; i < count; ++i) {
    const TensorDesc& first = ctx.input(i);
    if (!body->input(i)) return ctx.Fail("its body misses result " + std::to_string(i));
    const TensorDesc& next = body->input(i).desc();
    // A state that no graph reads still is what the body makes of it.
    const TensorDesc& state = states[i] != nullptr ? states[i]->output(0) : ctx.output(i);
    if (!Fits(first, state) || !Fits(next, state)) {
      return ctx.Fail(
          "state " + std::to_string(i) + " begins as " + std::string(UserName(first.dtype)) + " " +
          first.shape.ToString() + " and becomes " + std::string(UserName(next.dtype)) + " " +
          next.shape.ToString() + "; a loop keeps the dtype, and " + state.shape.ToString());
    }
    ctx.SetOutput(i, state.dtype, state.shape);
  }
  return Status::Ok();
}

constexpr OpImpl kWhile = {.type = "While", .infer = InferShape};
GE_OP(kWhile);

}  // namespace
}  // namespace ge
