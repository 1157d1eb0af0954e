#include "passes/axis_plan.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

constexpr int kUnit = -1;

bool IsNumber(Value value) {
  return value.node->is_const() && value.desc().shape.elements() == 1;
}

// Whether the base is the tensor of that shape itself.
bool IsIdentity(const AxisPlan::State& state, const Shape& shape) {
  return StepsOf(state.map, state.shape, shape).count() == 0;
}

AxisPlan::State AsItIs(Value value) {
  AxisPlan::State state;
  state.base = value;
  state.shape = value.desc().shape;
  state.map = IdentityMap(state.shape);
  return state;
}

// Axes that became 1 long come from anywhere.
void DropUnits(AxisMap& map, const Shape& result) {
  for (size_t axis = 0; axis < map.size(); ++axis) {
    if (result[axis] == 1) map[axis] = kUnit;
  }
}

// An axis of size 1 of the source that `map` does not use; -1 when there is none.
int FreeAxis(const AxisMap& map, const Shape& source) {
  for (size_t axis = 0; axis < source.rank(); ++axis) {
    const int index = static_cast<int>(axis);
    if (source[axis] == 1 && std::find(map.begin(), map.end(), index) == map.end()) return index;
  }
  return -1;
}

}  // namespace

AxisPlan::AxisPlan(const Graph& graph)
    : kinds_(graph.size()), region_of_(graph.size(), -1), places_(graph.size()) {
  for (const auto& node : graph.nodes()) kinds_[node->index()] = KindOf(*node);
  FindRegions(graph);
}

bool AxisPlan::IsTensor(const Node& node, size_t i) {
  if (node.type() == "StridedSliceV2") return i == 0;
  return node.type() == "ConcatD" || !IsNumber(node.input(i));
}

AxisPlan::Kind AxisPlan::KindOf(const Node& node) {
  if (node.input_count() == 0 || node.output_count() != 1 || !node.input(0)) return Kind::kFixed;
  if (node.type() == "Identity" || node.type() == "Dropout") return Kind::kFixed;
  if (AxisMapOf(node)) return Kind::kMap;
  const Shape& y = node.output(0).shape;
  if (!y.is_static() || y.elements().value_or(0) == 0) return Kind::kFixed;
  if (node.type() == "StridedSliceV2") return SlicesOf(node) ? Kind::kSlice : Kind::kFixed;
  if (node.type() == "ConcatD") {
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Shape& x = node.input(i).desc().shape;
      if (!x.has_rank(y.rank()) || x.elements().value_or(0) == 0) return Kind::kFixed;
    }
    return node.input_count() > 1 ? Kind::kConcat : Kind::kFixed;
  }
  const OpImpl* impl = FindOpImpl(node.type());
  if (impl == nullptr || impl->pointwise != Pointwise::kBroadcast) return Kind::kFixed;
  bool has_tensor = false;
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (!node.input(i)) continue;
    const bool is_tensor = IsTensor(node, i);
    if (is_tensor && node.input(i).desc().shape != y) return Kind::kFixed;
    has_tensor |= is_tensor;
  }
  return has_tensor ? Kind::kPointwise : Kind::kFixed;
}

void AxisPlan::FindRegions(const Graph& graph) {
  for (const auto& seed : graph.nodes()) {
    if (!IsMap(*seed) || region_of_[seed->index()] >= 0) continue;
    const int id = static_cast<int>(regions_.size());
    std::vector<Node*> region = {seed.get()};
    const auto reach = [&](Node* node) {
      if (kinds_[node->index()] == Kind::kFixed || region_of_[node->index()] >= 0) return;
      region_of_[node->index()] = id;
      region.push_back(node);
    };
    region_of_[seed->index()] = id;
    for (size_t i = 0; i < region.size(); ++i) {
      Node& node = *region[i];
      for (size_t port = 0; port < node.input_count(); ++port) {
        if (node.input(port)) reach(node.input(port).node);
      }
      for (const Use& use : node.uses(0)) reach(use.node);
    }
    std::sort(region.begin(), region.end(),
              [](const Node* a, const Node* b) { return a->index() < b->index(); });
    for (size_t i = 0; i < region.size(); ++i) {
      places_[region[i]->index()] = static_cast<uint32_t>(i);
    }
    regions_.push_back(std::move(region));
  }
}

AxisPlan::State AxisPlan::From(Value input) const {
  if (Has(*input.node) && !Of(*input.node).is_start) return Of(*input.node);
  State state = AsItIs(input);
  state.whole = Has(*input.node);
  return state;
}

// Gives `sunk`, which has the map and shape of the first input, those of the result.  The axis that
// is joined is the one that any of the inputs says.
bool AxisPlan::SinkConcat(const Node& node, const std::vector<State>& inputs, State& sunk) const {
  const size_t rank = node.output(0).shape.rank();
  const size_t joined = *NormalizeAxis(AttrReader(node).Int("concat_dim"), rank);
  int& axis = sunk.map[joined];
  for (const State& input : inputs) axis = axis == kUnit ? input.map[joined] : axis;
  if (axis == kUnit) axis = FreeAxis(sunk.map, sunk.shape);
  if (axis == kUnit) return false;
  sunk.axis = axis;
  int64_t& total = sunk.shape[static_cast<size_t>(axis)];
  total = 0;
  for (const State& input : inputs) {
    if (input.shape.rank() != sunk.shape.rank()) return false;
    const int64_t dim = input.shape[static_cast<size_t>(axis)];
    Shape shape = input.shape;
    AxisMap map = input.map;
    if (map[joined] == kUnit && dim == 1) map[joined] = axis;
    total += dim;
    shape[static_cast<size_t>(axis)] = total;
    if (map != sunk.map || shape != sunk.shape) return false;
  }
  return true;
}

// The state of an operator that is computed with the axes of its inputs' bases; nullopt where they
// do not agree, or are the inputs themselves.
std::optional<AxisPlan::State> AxisPlan::Sink(Node& node) const {
  const Kind kind = kinds_[node.index()];
  std::vector<State> inputs;
  bool all_are_identity = true;
  for (size_t i = 0; i < node.input_count(); ++i) {
    if (!node.input(i) || !IsTensor(node, i)) continue;
    inputs.push_back(From(node.input(i)));
    all_are_identity &= IsIdentity(inputs.back(), node.input(i).desc().shape);
  }
  if (all_are_identity) return std::nullopt;
  State sunk;
  sunk.sunk = true;
  sunk.base = node.out();
  sunk.shape = inputs[0].shape;
  sunk.map = inputs[0].map;
  if (kind == Kind::kConcat) {
    if (!SinkConcat(node, inputs, sunk)) return std::nullopt;
  } else if (kind == Kind::kSlice) {
    for (const int64_t dim : sunk.shape.dims()) sunk.slices.push_back({0, 1, dim});
    const std::vector<AxisSlice> slices = *SlicesOf(node);
    for (size_t axis = 0; axis < slices.size(); ++axis) {
      if (sunk.map[axis] == kUnit) continue;
      const size_t from = static_cast<size_t>(sunk.map[axis]);
      sunk.slices[from] = slices[axis];
      sunk.shape[from] = slices[axis].count;
    }
  } else {
    for (const State& input : inputs) {
      if (input.map != sunk.map || input.shape != sunk.shape) return std::nullopt;
    }
    for (size_t i = 0; i < node.input_count(); ++i) {
      const bool is_number = node.input(i) && !IsTensor(node, i);
      if (is_number && node.input(i).desc().shape.rank() > sunk.shape.rank()) return std::nullopt;
    }
  }
  DropUnits(sunk.map, node.output(0).shape);
  return sunk;
}

void AxisPlan::Visit(Node& node, bool starts_where_needed) {
  State& state = states_[places_[node.index()]];
  if (IsMap(node)) {
    const Value x = node.input(0);
    const AxisMap own = *AxisMapOf(node);
    const State from = From(x);
    state = AsItIs(from.base);
    state.whole = from.whole;
    state.shape = from.shape;
    state.map = Compose(own, from.map);
    state.kept = from.base == x && IsIdentity(from, x.desc().shape) &&
                 !IsIdentity(state, node.output(0).shape);
  } else if (std::optional<State> sunk = Sink(node)) {
    state = std::move(*sunk);
  } else {
    state = AsItIs(node.out());
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (input && Has(*input.node)) states_[places_[input.node->index()]].needed = true;
    }
  }
  for (const Use& use : node.uses(0)) state.needed |= !Has(*use.node);
  state.is_start = state.needed && starts_where_needed;
}

std::optional<AxisPlan::Cost> AxisPlan::Run(const std::vector<Node*>& region,
                                            bool starts_where_needed) {
  states_.assign(region.size(), {});
  for (Node* node : region) Visit(*node, starts_where_needed);
  Cost cost;
  std::vector<Value> filled;  // values that fill an output in place of others
  for (Node* node : region) {
    const State& state = Of(*node);
    if (!state.needed) continue;
    const AxisSteps steps = StepsOf(state.map, state.shape, node->output(0).shape);
    cost.operators += steps.count();
    cost.transposes += int{steps.transpose};
    if (steps.count() > 0 || state.base == node->out() || !IsGraphOutput(node->out())) continue;
    if (!MayBypass(node->out(), state.base)) return std::nullopt;
    if (std::find(filled.begin(), filled.end(), state.base) != filled.end()) return std::nullopt;
    filled.push_back(state.base);
  }
  return cost;
}

bool AxisPlan::Make(const std::vector<Node*>& region) {
  current_ = region_of_[region.front()->index()];
  Cost least;
  for (const Node* node : region) {
    least.operators += int{IsMap(*node)};
    least.transposes += int{node->type() == "Transpose"};
  }
  std::optional<bool> best;
  for (const bool starts_where_needed : {false, true}) {
    const std::optional<Cost> cost = Run(region, starts_where_needed);
    if (!cost || cost->operators >= least.operators || cost->transposes > least.transposes)
      continue;
    least = *cost;
    best = starts_where_needed;
  }
  if (best == false) Run(region, false);
  return best.has_value();
}

}  // namespace ge
