#include "frontend/onnx/formula.h"

#include <utility>

#include "frontend/onnx/builder.h"

namespace ge::onnx {

std::vector<Value> Formula::Outputs(std::string_view type, std::vector<Value> inputs,
                                    AttrList attrs, size_t count) {
  if (!status_.ok()) return std::vector<Value>(count);
  Result<std::vector<Value>> values =
      op_.builder().AddNode(type, op_.name() + "/" + std::string(type), op_.name(),
                            std::move(inputs), std::move(attrs), count);
  if (values.ok()) return *std::move(values);
  status_ = values.status();
  return std::vector<Value>(count);
}

Value Formula::operator()(std::string_view type, std::vector<Value> inputs, AttrList attrs) {
  return Outputs(type, std::move(inputs), std::move(attrs), 1)[0];
}

Value Formula::Scalar(double value, DataType dtype) {
  return op_.ConstScalar(value, dtype);
}

Value Formula::Ints(const std::vector<int64_t>& list) {
  return op_.ConstList(list);
}

Value Formula::Cast(Value x, DataType dtype) {
  if (!x || x.desc().dtype == dtype) return x;
  return (*this)("Cast", {x}, {{"dst_type", static_cast<int64_t>(dtype)}});
}

Value Formula::Reshape(Value x, const std::vector<int64_t>& dims) {
  return Reshape(x, Ints(dims));
}

Value Formula::Reshape(Value x, Value dims) {
  return (*this)("Reshape", {x, dims});
}

Value Formula::ReshapeTo(Value x, std::vector<Value> dims) {
  Value* unknown = nullptr;
  size_t count = 0;
  for (Value& dim : dims) {
    if (!dim || dim.node->is_const()) continue;
    unknown = &dim;
    ++count;
  }
  if (count == 1) *unknown = Ints({-1});
  return (*this)("Reshape", {x, Concat(std::move(dims), 0)}, {{"allowzero", int64_t{1}}});
}

Value Formula::Permute(Value x, const std::vector<int64_t>& perm) {
  return (*this)("Transpose", {x, Ints(perm)});
}

Value Formula::Unsqueeze(Value x, const std::vector<int64_t>& axes) {
  return (*this)("Unsqueeze", {x}, {{"axes", axes}});
}

Value Formula::Squeeze(Value x, const std::vector<int64_t>& axes) {
  return (*this)("Squeeze", {x}, {{"axis", axes}});
}

Value Formula::Concat(std::vector<Value> parts, int64_t axis) {
  const int64_t count = static_cast<int64_t>(parts.size());
  return (*this)("ConcatD", std::move(parts), {{"concat_dim", axis}, {"N", count}});
}

Value Formula::Slice(Value x, int64_t axis, int64_t begin, int64_t end, int64_t step) {
  return (*this)("StridedSliceV2",
                 {x, Ints({begin}), Ints({end}), Ints({axis}), step == 1 ? Value{} : Ints({step})});
}

Value Formula::Slice(Value x, int64_t axis, Value begin, Value end) {
  return (*this)("StridedSliceV2", {x, begin, end, Ints({axis})});
}

Value Formula::Gather(Value x, Value indices, int64_t axis) {
  return (*this)("GatherV2", {x, indices, Scalar(static_cast<double>(axis), DataType::kInt64)},
                 {{"negative_index_support", true}});
}

Value Formula::Expand(Value x, Value dims) {
  return (*this)("Expand", {x, dims});
}

Value Formula::PadEnd(Value x, int64_t axis, Value count, Value fill) {
  if (!x) return {};
  const size_t rank = x.desc().shape.rank();
  const size_t behind =
      rank - 1 - static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
  std::vector<Value> pads = {Ints(std::vector<int64_t>(2 * rank - 1 - behind)), count};
  if (behind != 0) pads.push_back(Ints(std::vector<int64_t>(behind)));
  return (*this)("PadV3", {x, Concat(std::move(pads), 0), fill},
                 {{"mode", std::string("constant")}, {"paddings_contiguous", false}});
}

Value Formula::ReduceLast(std::string_view type, Value x, bool keep_dims) {
  return (*this)(type, {x, Ints({-1})}, {{"keep_dims", keep_dims}});
}

Value Formula::ReduceAll(std::string_view type, Value x) {
  return (*this)(type, {x, Ints({})}, {{"keep_dims", false}, {"noop_with_empty_axes", false}});
}

Value Formula::Iota(Value count) {
  return (*this)("Range", {Ints({0}), count, Ints({1})});
}

Value Formula::Dim(Value x, int64_t axis) {
  if (!x) return {};
  const Shape& shape = x.desc().shape;
  if (!shape.unknown_rank()) {
    const std::optional<size_t> index = NormalizeAxis(axis, shape.rank());
    if (index && shape[*index] != kUnknownDim) return Ints({shape[*index]});
  }
  return Slice(Dims(x), 0, axis, axis == -1 ? INT64_MAX : axis + 1);
}

Value Formula::Dims(Value x) {
  if (!x) return {};
  if (x.desc().shape.is_static()) return Ints(x.desc().shape.ToVector());
  return (*this)("Shape", {x}, {{"dtype", static_cast<int64_t>(DataType::kInt64)}});
}

}  // namespace ge::onnx
