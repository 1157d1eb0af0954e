#include "aclop/composed_parts.h"

#include "aclop/op_attrs.h"
#include "ops/op_impl.h"

namespace ge::aclop::composed {

Status Fail(const FunctionContext& context, std::string reason) {
  return Error(ErrorId::kE14001, {{"opname", context.name},
                                  {"optype", std::string(context.type)},
                                  {"reason", std::move(reason)}});
}

Attr AttrOf(const FunctionContext& context, std::string_view name) {
  const Attr* given = context.attrs.Find(name);
  return given != nullptr ? *given : DefaultAttr(context.row.Find("attrs").Find(name));
}

int64_t IntOf(const FunctionContext& context, std::string_view name) {
  return std::get<int64_t>(AttrOf(context, name));
}

Result<Shape> KnownRank(const FunctionContext& context, Value value) {
  if (!value.desc().shape.unknown_rank()) return value.desc().shape;
  return Fail(context, "the number of dims of its tensors must be known");
}

Result<Ints> Constant(const FunctionContext& context, Value value, std::string_view what) {
  std::optional<Ints> ints = value ? ConstInts(value) : std::nullopt;
  if (ints) return std::move(*ints);
  return Fail(context, std::string(what) + " must be constant");
}

// `axis` is that of a tensor of `rank` dims.
Result<size_t> AxisIn(const FunctionContext& context, int64_t axis, size_t rank) {
  const std::optional<size_t> index = NormalizeAxis(axis, rank);
  if (index) return *index;
  return Fail(context,
              "axis " + std::to_string(axis) + " is not one of " + std::to_string(rank) + " dims");
}

Result<size_t> AxisOf(const FunctionContext& context, Value axis, size_t rank) {
  GE_ASSIGN(const Ints ints, Constant(context, axis, "an axis"));
  if (ints.size() != 1) return Fail(context, "one axis is accepted");
  return AxisIn(context, ints[0], rank);
}

Value ListOf(const FunctionContext& context, const Ints& list) {
  return AddIntConst(context.graph, context.name + "/Const", list,
                     {static_cast<int64_t>(list.size())});
}

Result<Value> Add(const FunctionContext& context, std::string_view type, const Values& inputs,
                  AttrMap attrs) {
  Node* const node = context.graph.Add(type, context.name + "/" + std::string(type), inputs);
  node->attrs() = std::move(attrs);
  GE_TRY(InferNode(*node));
  return node->out();
}

Result<Value> WithAttr(const FunctionContext& context, std::string_view type, Value x,
                       std::string_view name, Ints list) {
  AttrMap attrs;
  attrs.Set(name, std::move(list));
  return Add(context, type, {x}, std::move(attrs));
}

Result<int64_t> SizeOf(const FunctionContext& context, Value x, size_t axis) {
  const int64_t size = x.desc().shape[axis];
  if (size != kUnknownDim) return size;
  return Fail(context, "the size of axis " + std::to_string(axis) + " must be known");
}

Result<Value> Cut(const FunctionContext& context, Value x, const Part& part) {
  if (part.axes.empty()) return x;
  return Add(context, "StridedSliceV2",
             {x, ListOf(context, part.begin), ListOf(context, part.end), ListOf(context, part.axes),
              ListOf(context, part.strides)});
}

Result<Value> Reshaped(const FunctionContext& context, Value x, const Ints& dims) {
  return Add(context, "Reshape", {x, ListOf(context, dims)});
}

}  // namespace ge::aclop::composed
