#include "passes/axis_map.h"

#include <algorithm>

#include "ops/op_impl.h"
#include "passes/rewrite.h"

namespace ge {
namespace {

constexpr int kUnit = -1;

bool IsPositive(const Shape& shape) {
  return shape.is_static() &&
         std::all_of(shape.dims().begin(), shape.dims().end(), [](int64_t dim) { return dim > 0; });
}

// The axes of size other than 1, in order.
std::vector<int> LongAxes(const Shape& shape) {
  std::vector<int> axes;
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] != 1) axes.push_back(static_cast<int>(axis));
  }
  return axes;
}

bool IsAscending(const AxisMap& map) {
  int last = kUnit;
  for (const int axis : map) {
    if (axis == kUnit) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

std::optional<AxisMap> MapOfView(const Shape& x, const Shape& y) {
  const std::vector<int> from = LongAxes(x), to = LongAxes(y);
  if (from.size() != to.size()) return std::nullopt;
  AxisMap map(y.rank(), kUnit);
  for (size_t i = 0; i < from.size(); ++i) {
    if (x[static_cast<size_t>(from[i])] != y[static_cast<size_t>(to[i])]) return std::nullopt;
    map[static_cast<size_t>(to[i])] = from[i];
  }
  return map;
}

// An order of axes that begins like `map`; axes that it leaves open take those that are not used.
std::vector<int64_t> OrderOf(const AxisMap& map, size_t rank) {
  std::vector<bool> used(rank);
  for (const int axis : map) {
    if (axis != kUnit) used[static_cast<size_t>(axis)] = true;
  }
  std::vector<int64_t> order;
  size_t next = 0;
  for (const int axis : map) {
    if (axis != kUnit) {
      order.push_back(axis);
      continue;
    }
    while (used[next]) ++next;
    order.push_back(static_cast<int64_t>(next++));
  }
  return order;
}

}  // namespace

AxisMap IdentityMap(const Shape& shape) {
  AxisMap map(shape.rank(), kUnit);
  for (const int axis : LongAxes(shape)) map[static_cast<size_t>(axis)] = axis;
  return map;
}

AxisMap Compose(const AxisMap& outer, const AxisMap& inner) {
  AxisMap map = outer;
  for (int& axis : map) {
    if (axis != kUnit) axis = inner[static_cast<size_t>(axis)];
  }
  return map;
}

std::optional<AxisMap> AxisMapOf(const Node& node) {
  const bool is_transpose = node.type() == "Transpose";
  const OpImpl* impl = FindOpImpl(node.type());
  if (!is_transpose && (impl == nullptr || !impl->view)) return std::nullopt;
  const Shape &x = node.input(0).desc().shape, &y = node.output(0).shape;
  if (!IsPositive(x) || !IsPositive(y) || node.input(0).desc().dtype != node.output(0).dtype) {
    return std::nullopt;
  }
  if (!is_transpose) return MapOfView(x, y);
  const std::optional<std::vector<int64_t>> order = ConstInts(node.input(1));
  if (!order) return std::nullopt;
  AxisMap map(y.rank(), kUnit);
  for (size_t axis = 0; axis < map.size(); ++axis) {
    const std::optional<size_t> from = NormalizeAxis((*order)[axis], x.rank());
    if (y[axis] != 1) map[axis] = static_cast<int>(*from);
  }
  return map;
}

AxisSteps StepsOf(const AxisMap& map, const Shape& source, const Shape& result) {
  if (IsAscending(map)) return {.transpose = false, .view = source != result};
  return {.transpose = true, .view = source.rank() != result.rank()};
}

Result<Value> AddSteps(const Node& node, Value source, const AxisMap& map, const TensorDesc& desc) {
  Graph& graph = node.graph();
  const AxisSteps steps = StepsOf(map, source.desc().shape, desc.shape);
  const auto add = [&](std::string_view type, std::string_view input,
                       const std::vector<int64_t>& list) -> Status {
    const std::string name = node.name() + "/" + std::string(type);
    const Value numbers = AddIntList(graph, name + "/" + std::string(input), list);
    Node* added = graph.Add(type, name, {source, numbers});
    added->AddSourceName(node.source_name());
    source = added->out();
    return InferNode(*added);
  };
  if (steps.transpose) {
    AxisMap whole = map;
    if (steps.view) std::erase(whole, kUnit);
    const size_t rank = source.desc().shape.rank();
    whole.resize(rank, kUnit);
    GE_TRY(add("Transpose", "perm", OrderOf(whole, rank)));
  }
  if (steps.view) GE_TRY(add("Reshape", "shape", desc.shape.ToVector()));
  return source;
}

}  // namespace ge
