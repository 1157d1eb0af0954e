// Loop -> While, and the While that Scan becomes too.
//
// The states of the While are the number of the iteration, the condition, the states of the
// source, one growing tensor per scan output (the body joins a slice to it), and what the body
// reads from outside.  A state whose shape changes from one iteration to the next gets unknown
// dims: the body is imported again with them until nothing changes.
#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "frontend/onnx/control_flow.h"
#include "frontend/onnx/loop.h"
#include "ops/op_impl.h"

namespace ge::onnx {
namespace {

constexpr size_t kIteration = 0, kCondition = 1, kFirstState = 2;
constexpr int kMaxTries = 16;  // each try loosens a dim or a rank of some state

// A tensor without elements that a scan output that looks like `desc` can begin as.
Value EmptyTensor(OnnxOp& op, TensorDesc desc) {
  if (desc.shape.unknown_rank()) desc.shape = Shape{0};
  for (size_t axis = 0; axis < desc.shape.rank(); ++axis) {
    desc.shape[axis] = std::max<int64_t>(desc.shape[axis], 0);
  }
  return op.builder().graph().AddConst(op.name() + "/Empty", desc, Buffer::Own({}))->out();
}

// `desc` loosened so that it also describes `other`.
bool Loosen(TensorDesc& desc, const Shape& other) {
  Shape& shape = desc.shape;
  if (shape == other || shape.unknown_rank()) return false;
  if (other.unknown_rank() || shape.rank() != other.rank()) {
    shape = Shape::UnknownRank();
    return true;
  }
  bool changed = false;
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] == kUnknownDim || shape[axis] == other[axis]) continue;
    shape[axis] = kUnknownDim;
    changed = true;
  }
  return changed;
}

class LoopImporter {
 public:
  LoopImporter(OnnxOp& op, LoopSource source) : op_(op), source_(std::move(source)) {}

  // The final states of the source and the scan outputs, as many as the node has; none when a fault
  // was reported.
  Result<std::vector<Value>> Import() {
    states_ = {op_.ConstScalar(0, DataType::kInt64), source_.condition};
    states_.insert(states_.end(), source_.states.begin(), source_.states.end());
    for (const Value state : states_) descs_.push_back(state.desc());
    ImportState& state = op_.builder().state();
    const size_t unnamed = state.unnamed_nodes;
    for (int i = 0; i < kMaxTries; ++i) {
      state.unnamed_nodes = unnamed;
      GE_ASSIGN(const bool settled, TryBody());
      if (poisoned_) return std::vector<Value>{};
      if (settled) return AddWhile();
    }
    return op_.Fail("the shapes of its states do not settle");
  }

 private:
  // Imports the body with the states as they are described now.  False when a state turned out to
  // change its shape; its description is loosened then.
  Result<bool> TryBody() {
    GraphBuilder& outer = op_.builder();
    ImportState& state = outer.state();
    const size_t warnings = state.warnings.size(), renamed = state.renamed_nodes.size();
    const auto unsupported = state.unsupported;
    Status faults_so_far = std::exchange(state.faults, Status::Ok());
    body_ = std::make_unique<ge::Graph>(op_.name() + "_body");
    builder_.emplace(state, *body_, outer, outer.names());
    inputs_.clear();
    for (size_t i = 0; i < descs_.size(); ++i) {
      ge::Node* data = body_->Add("Data", StateName(i), {});
      data->output(0) = descs_[i];
      data->attrs().Set("index", static_cast<int64_t>(i));
      data->attrs().Set("_parent_node_index", static_cast<int64_t>(i));
      inputs_.push_back(data->out());
    }
    Names names = ScopeOf(*source_.body, outer.names());
    GE_TRY(BindInputs(names));
    GE_TRY(builder_->ImportNodes(source_.body->nodes, OutputNames(*source_.body), names));
    const Result<std::vector<Value>> found = ResultsOf(op_, *builder_, *source_.body, names);
    Status faults = std::exchange(state.faults, std::move(faults_so_far));
    if (!found.ok()) {
      state.faults.Add(std::move(faults));
      return found.status();
    }
    const std::vector<Value>& results = *found;
    if (results.empty() && !source_.body->outputs.empty()) {
      state.faults.Add(std::move(faults));
      poisoned_ = true;
      return false;
    }
    GE_ASSIGN(const std::vector<Value> next, NextStates(results));
    bool settled = true;
    for (size_t i = 0; i < next.size(); ++i) {
      if (i == descs_.size()) {  // a scan output, seen for the first time
        TensorDesc grown = next[i].desc();
        if (!grown.shape.unknown_rank()) {
          const ScanPort& port = source_.collected[i - kFirstState - source_.states.size()];
          grown.shape[*NormalizeAxis(port.axis, grown.shape.rank())] = kUnknownDim;
        }
        states_.push_back(EmptyTensor(op_, grown));
        descs_.push_back(std::move(grown));
        settled = false;
        continue;
      }
      if (next[i].desc().dtype != descs_[i].dtype) {
        return op_.Fail("state " + std::to_string(i) + " is " +
                        std::string(UserName(descs_[i].dtype)) + " and becomes " +
                        std::string(UserName(next[i].desc().dtype)) +
                        "; a loop keeps the dtypes of its states");
      }
      settled &= !Loosen(descs_[i], next[i].desc().shape);
    }
    if (!settled) {
      state.warnings.resize(warnings);
      state.renamed_nodes.resize(renamed);
      state.unsupported = unsupported;
      return false;
    }
    results_ = next;
    return true;
  }

  std::string StateName(size_t i) const {
    const auto& inputs = source_.body->inputs;
    const size_t shift = source_.is_scan ? kFirstState : 0;
    if (i >= shift && i - shift < inputs.size() && i < kFirstState + source_.states.size()) {
      return std::string(inputs[i - shift].name);
    }
    return op_.name() + (i == kIteration ? "/iteration" : i == kCondition ? "/condition" : "/scan");
  }

  Status BindInputs(Names& names) {
    const auto& inputs = source_.body->inputs;
    const size_t shift = source_.is_scan ? kFirstState : 0;
    const size_t states = kFirstState + source_.states.size() - shift;
    if (inputs.size() != states + source_.scanned.size()) {
      return op_.Fail("its body has " + std::to_string(inputs.size()) + " inputs, the node gives " +
                      std::to_string(states + source_.scanned.size()));
    }
    for (size_t i = 0; i < states; ++i) {
      names.values.Insert(inputs[i].name, inputs_[i + shift]);
    }
    for (size_t i = 0; i < source_.scanned.size(); ++i) {
      GE_ASSIGN(const Value slice, Slice(i));
      names.values.Insert(inputs[states + i].name, slice);
    }
    return Status::Ok();
  }

  // Adds a node to the body.
  Result<Value> Add(std::string_view type, std::vector<Value> inputs, AttrList attrs = {}) {
    GE_ASSIGN(const std::vector<Value> outputs,
              builder_->AddNode(type, op_.name() + "/" + std::string(type), op_.name(),
                                std::move(inputs), std::move(attrs), 1));
    return outputs[0];
  }

  Value Const(int64_t value, DataType dtype = DataType::kInt64) {
    std::vector<uint8_t> bytes(dtype == DataType::kInt64 ? sizeof(int64_t) : sizeof(int32_t));
    std::memcpy(bytes.data(), &value, bytes.size());
    return body_->AddConst(op_.name() + "/Const", {dtype, Format::kND, Shape{}}, Buffer::Own(bytes))
        ->out();
  }

  // What the body sees of scanned input i in this iteration.
  Result<Value> Slice(size_t i) {
    const ScanPort& port = source_.scanned_ports[i];
    const Value whole = Captured(source_.scanned[i]);
    Value index = inputs_[kIteration];
    if (port.backward) {
      GE_ASSIGN(const Value last, Add("Sub", {Captured(source_.trips), Const(1)}));
      GE_ASSIGN(index, Add("Sub", {last, index}));
    }
    return Add("GatherV2", {whole, index, Const(port.axis, DataType::kInt32)});
  }

  // `value` of the graph around, as the body sees it: an input, or a constant.
  Value Captured(Value value) { return builder_->Capture(value, value.node->name()); }

  // States for the next iteration out of the results of the source's body.
  Result<std::vector<Value>> NextStates(const std::vector<Value>& results) {
    const size_t shift = source_.is_scan ? 0 : 1;
    const size_t expected = shift + source_.states.size() + source_.collected.size();
    if (results.size() != expected) {
      return op_.Fail("its body has " + std::to_string(results.size()) +
                      " outputs, the node needs " + std::to_string(expected));
    }
    std::vector<Value> next(kFirstState);
    GE_ASSIGN(next[kIteration], Add("Add", {inputs_[kIteration], Const(1)}));
    next[kCondition] = source_.is_scan ? inputs_[kCondition] : results[0];
    if (next[kCondition].desc().dtype != DataType::kBool)
      return op_.Fail("its condition is no bool");
    if (next[kCondition].desc().shape != Shape{}) {  // [1] is accepted
      GE_ASSIGN(next[kCondition], Add("Reshape", {next[kCondition], ShapeConst()}));
    }
    for (size_t i = 0; i < source_.states.size(); ++i) next.push_back(results[shift + i]);
    for (size_t i = 0; i < source_.collected.size(); ++i) {
      const size_t state = kFirstState + source_.states.size() + i;
      const Value result = results[shift + source_.states.size() + i];
      GE_ASSIGN(const Value grown, Grown(result, source_.collected[i], state));
      next.push_back(grown);
    }
    return next;
  }

  Value ShapeConst() {
    return body_
        ->AddConst(op_.name() + "/Const", {DataType::kInt64, Format::kND, Shape{0}},
                   Buffer::Own({}))
        ->out();
  }

  // Scan output with the slice of this iteration.
  Result<Value> Grown(Value result, const ScanPort& port, size_t state) {
    GE_ASSIGN(const Value slice,
              Add("Unsqueeze", {result}, {{"axes", std::vector<int64_t>{port.axis}}}));
    if (state >= inputs_.size()) return slice;  // not a state yet: what it looks like
    std::vector<Value> parts = {inputs_[state], slice};
    if (port.backward) std::swap(parts[0], parts[1]);
    // It begins as a tensor without elements, whose other dims may be any.
    return Add("ConcatD", parts,
               {{"concat_dim", port.axis}, {"skip_empty", true}, {"N", int64_t{2}}});
  }

  Result<std::vector<Value>> AddWhile() {
    // Everything that the body reads from outside is a state that stays as it is.
    const size_t first_invariant = states_.size();
    for (ge::Node* data : body_->InputNodes()) {
      if (data->attrs().Find("_parent_node_index") != nullptr) continue;
      const auto capture = static_cast<size_t>(*data->attrs().Get<int64_t>("index"));
      AddInvariant(builder_->captures()[capture], data);
    }
    size_t trips = 0;
    if (source_.trips && !source_.trips.node->is_const()) {
      // A capture of the body, if it reads it too.
      for (size_t i = first_invariant; i < states_.size(); ++i) {
        if (states_[i] == source_.trips) trips = i;
      }
      if (trips == 0) {
        trips = states_.size();
        ge::Node* data = body_->Add("Data", op_.name() + "/trips", {});
        data->output(0) = source_.trips.desc();
        AddInvariant(source_.trips, data);
      }
    }
    body_->Add("NetOutput", "NetOutput", results_, 0);
    for (size_t i = 0; i < results_.size(); ++i) body_->output_names().push_back(StateName(i));
    body_->SortTopologically();
    GE_ASSIGN(std::unique_ptr<ge::Graph> cond, BuildCondition(trips));

    ge::Node* node = op_.builder().graph().Add("While", op_.name(), states_, states_.size());
    node->AddSubgraph(std::move(cond));
    node->AddSubgraph(std::move(body_));
    for (size_t i = 0; i < descs_.size(); ++i) node->output(i) = descs_[i];
    GE_TRY(InferNode(*node));
    std::vector<Value> outputs;
    for (size_t i = 0; i < op_.output_count(); ++i) {
      outputs.push_back(node->out(static_cast<int32_t>(kFirstState + i)));
    }
    return outputs;
  }

  void AddInvariant(Value value, ge::Node* data) {
    const auto port = static_cast<int64_t>(states_.size());
    data->attrs().Set("index", port);
    data->attrs().Set("_parent_node_index", port);
    states_.push_back(value);
    descs_.push_back(value.desc());
    results_.push_back(data->out());
  }

  // iteration < trips and condition.
  Result<std::unique_ptr<ge::Graph>> BuildCondition(size_t trips) {
    auto graph = std::make_unique<ge::Graph>(op_.name() + "_cond");
    int64_t index = 0;
    const auto add_state = [&](size_t i) {
      ge::Node* data = graph->Add("Data", StateName(i), {});
      data->output(0) = descs_[i];
      data->attrs().Set("index", index++);
      data->attrs().Set("_parent_node_index", static_cast<int64_t>(i));
      return data->out();
    };
    Value result = add_state(kCondition);
    if (source_.trips) {
      const Value iteration = add_state(kIteration);
      const Value limit = trips != 0 ? add_state(trips)
                                     : graph
                                           ->AddConst(op_.name() + "/trips", source_.trips.desc(),
                                                      source_.trips.node->value())
                                           ->out();
      ge::Node* less = graph->Add("Less", op_.name() + "/Less", {iteration, limit});
      GE_TRY(InferNode(*less));
      ge::Node* both = graph->Add("LogicalAnd", op_.name() + "/LogicalAnd", {less->out(), result});
      GE_TRY(InferNode(*both));
      result = both->out();
    }
    graph->Add("NetOutput", "NetOutput", {result}, 0);
    graph->output_names().push_back("condition");
    return graph;
  }

  OnnxOp& op_;
  const LoopSource source_;
  std::vector<Value> states_;      // first values, in the graph around
  std::vector<TensorDesc> descs_;  // what the graphs see of them
  std::unique_ptr<ge::Graph> body_;
  std::optional<GraphBuilder> builder_;  // of body_
  std::vector<Value> inputs_;            // Data nodes of the states in body_
  std::vector<Value> results_;           // next states
  bool poisoned_ = false;
};

}  // namespace

Result<std::vector<Value>> EmitWhile(OnnxOp& op, LoopSource source) {
  return LoopImporter(op, std::move(source)).Import();
}

Status SetLoopOutputs(OnnxOp& op, const std::vector<Value>& outputs) {
  if (outputs.empty()) return op.Poison();
  for (size_t i = 0; i < outputs.size(); ++i) op.SetOutput(i, outputs[i]);
  return Status::Ok();
}

namespace {

// A scalar of a tensor with one element.
Result<Value> Scalar(OnnxOp& op, Value value) {
  if (value.desc().shape == Shape{}) return value;
  return op.EmitHelper("Reshape", {value, op.ConstList({})});
}

Status ImportLoop(OnnxOp& op) {
  const Graph* body = op.GraphAttr("body");
  if (body == nullptr) return op.Fail("it needs a body");
  LoopSource source;
  source.body = body;
  source.is_scan = false;
  if (op.has_input(0)) {
    GE_ASSIGN(source.trips, Scalar(op, op.input(0)));
  }
  source.condition = op.has_input(1) ? op.input(1) : op.ConstScalar(1, DataType::kBool);
  GE_ASSIGN(source.condition, Scalar(op, source.condition));
  for (size_t i = 2; i < op.input_count(); ++i) {
    if (!op.has_input(i)) return op.Fail("input " + std::to_string(i) + " is missing");
    source.states.push_back(op.input(i));
  }
  const size_t results = 1 + source.states.size();
  if (body->outputs.size() < results || body->outputs.size() - 1 < op.output_count()) {
    return op.Fail("its body has " + std::to_string(body->outputs.size()) + " outputs, the node " +
                   std::to_string(op.output_count()));
  }
  source.collected.resize(body->outputs.size() - results);
  GE_ASSIGN(const std::vector<Value> outputs, EmitWhile(op, std::move(source)));
  return SetLoopOutputs(op, outputs);
}

GE_ONNX_OP("Loop", ImportLoop);

}  // namespace
}  // namespace ge::onnx
