// Functions of composed_functions.h that give axes and sizes.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "aclop/composed_parts.h"
#include "kernels/convert.h"
#include "kernels/elementwise.h"

namespace ge::aclop::composed {
namespace {

std::string LayoutOf(const FunctionContext& context) {
  if (!context.row.Find("attrs").Has("data_format")) return std::string(FormatName(context.format));
  return std::get<std::string>(AttrOf(context, "data_format"));
}

bool ChannelsAreLast(const FunctionContext& context) {
  const std::string layout = LayoutOf(context);
  return layout == "NHWC" || layout == "NDHWC";
}

Result<size_t> ChannelAxis(const FunctionContext& context, Value x) {
  GE_ASSIGN(const Shape shape, KnownRank(context, x));
  if (shape.rank() == 0)
    return Fail(context, "its tensor is a scalar; 1 or more dims are accepted");
  return ChannelsAreLast(context) ? shape.rank() - 1 : std::min<size_t>(1, shape.rank() - 1);
}

}  // namespace

Result<Value> Channel(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const size_t axis, ChannelAxis(context, values[0]));
  return ListOf(context, {static_cast<int64_t>(axis)});
}

Result<Value> Others(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const size_t channel, ChannelAxis(context, values[0]));
  Ints axes;
  for (size_t axis = 0; axis < values[0].desc().shape.rank(); ++axis) {
    if (axis != channel) axes.push_back(static_cast<int64_t>(axis));
  }
  return ListOf(context, axes);
}

Result<Value> Spatial(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape shape, KnownRank(context, values[0]));
  if (shape.rank() < 3) return Fail(context, "its tensor has no spatial axes");
  Ints axes(shape.rank() - 2);
  // Operators on images are TensorFlow's, whose images have their channels last.
  const std::string layout = LayoutOf(context);
  std::iota(axes.begin(), axes.end(), layout == "NCHW" || layout == "NCDHW" ? 2 : 1);
  return ListOf(context, axes);
}

Result<Value> Windows(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(Ints list, Constant(context, values[0], "a list"));
  list.insert(list.begin(), 1);
  list.insert(ChannelsAreLast(context) ? list.end() : list.begin() + 1, 1);
  return ListOf(context, list);
}

Result<Value> Dim(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape shape, KnownRank(context, values[0]));
  GE_ASSIGN(const size_t axis, AxisOf(context, values[1], shape.rank()));
  GE_ASSIGN(const int64_t size, SizeOf(context, values[0], axis));
  return ListOf(context, {size});
}

Result<Value> Count(const FunctionContext& context, const Values& values) {
  const Value x = values[0];
  GE_ASSIGN(const Shape shape, KnownRank(context, x));
  GE_ASSIGN(Ints axes, Constant(context, values[1], "the axes"));
  if (axes.empty()) {
    axes.resize(shape.rank());
    std::iota(axes.begin(), axes.end(), 0);
  }
  double count = 1;
  for (const int64_t axis : axes) {
    GE_ASSIGN(const size_t index, AxisIn(context, axis, shape.rank()));
    GE_ASSIGN(const int64_t size, SizeOf(context, x, index));
    count *= static_cast<double>(size);
  }
  std::vector<uint8_t> bytes;
  const bool known = VisitNumbers(x.desc().dtype, [&]<typename T>(T) {
    const T number = TruncatedTo<T>(count);
    bytes.resize(sizeof(T));
    std::memcpy(bytes.data(), &number, sizeof(T));
  });
  if (!known) return Fail(context, "its tensor has no numbers");
  return context.graph
      .AddConst(context.name + "/Const", {x.desc().dtype, Format::kND, Shape()},
                Buffer::Own(std::move(bytes)))
      ->out();
}

Result<Value> Rows(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape shape, KnownRank(context, values[0]));
  GE_ASSIGN(Ints dims, Constant(context, values[1], "the number of rows"));
  for (size_t axis = 1; axis < shape.rank(); ++axis) {
    GE_ASSIGN(const int64_t size, SizeOf(context, values[0], axis));
    dims.push_back(size);
  }
  return ListOf(context, dims);
}

}  // namespace ge::aclop::composed
