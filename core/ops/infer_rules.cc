#include "ops/infer_rules.h"

#include <algorithm>
#include <limits>
#include <string>

namespace ge {
namespace {

std::string RangeOfAxes(size_t rank) {
  if (rank == 0) return "a scalar has no axes";
  return "axes -" + std::to_string(rank) + " to " + std::to_string(rank - 1) + " are there";
}

}  // namespace

std::optional<int64_t> MergeDims(int64_t a, int64_t b) {
  if (!SameOrUnknown(a, b)) return std::nullopt;
  return a == kUnknownDim ? b : a;
}

std::optional<int64_t> AddDims(int64_t a, int64_t b) {
  if (a == kUnknownDim || b == kUnknownDim) return kUnknownDim;
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

std::optional<int64_t> MulDims(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (a == kUnknownDim || b == kUnknownDim) return kUnknownDim;
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

std::optional<int64_t> ProductOfDims(const Shape& shape, size_t first, size_t last) {
  const auto begin = shape.dims().begin() + static_cast<ptrdiff_t>(first);
  const auto end = shape.dims().begin() + static_cast<ptrdiff_t>(last);
  if (std::find(begin, end, 0) != end) return 0;
  std::optional<int64_t> product = 1;
  for (auto dim = begin; dim != end && product; ++dim) product = MulDims(*product, *dim);
  return product;
}

Result<size_t> AxisOf(const InferContext& ctx, int64_t axis, const Shape& shape) {
  if (const std::optional<size_t> index = NormalizeAxis(axis, shape.rank())) return *index;
  return ctx.Fail("axis " + std::to_string(axis) + " is outside shape " + shape.ToString() + ": " +
                  RangeOfAxes(shape.rank()));
}

Result<std::vector<size_t>> AxesOf(const InferContext& ctx, std::span<const int64_t> axes,
                                   const Shape& shape) {
  std::vector<size_t> indices;
  std::vector<bool> seen(shape.rank());
  for (const int64_t axis : axes) {
    GE_ASSIGN(const size_t index, AxisOf(ctx, axis, shape));
    if (seen[index]) {
      return ctx.Fail("axis " + std::to_string(index) + " of shape " + shape.ToString() +
                      " is named twice");
    }
    seen[index] = true;
    indices.push_back(index);
  }
  return indices;
}

Result<std::optional<int64_t>> ConstAxis(const InferContext& ctx, size_t i) {
  const std::optional<std::vector<int64_t>> values = ctx.ConstInts(i);
  if (!values) return std::optional<int64_t>();
  if (values->size() != 1) {
    return ctx.Fail("the axis input has shape " + ctx.shape(i).ToString() +
                    "; a single number is accepted");
  }
  return std::optional<int64_t>(values->front());
}

Status NeedsIndices(const InferContext& ctx, size_t i) {
  if (ctx.dtype(i) == DataType::kInt32 || ctx.dtype(i) == DataType::kInt64) return Status::Ok();
  return ctx.Fail("input " + std::to_string(i) + " has dtype " +
                  std::string(UserName(ctx.dtype(i))) + "; int32 and int64 are accepted");
}

Result<Shape> ShapeFromList(const InferContext& ctx, size_t i) {
  // Longer lists are no shapes; this keeps a hostile one from using up the memory.
  constexpr int64_t kMaxRank = 1024;
  GE_TRY(NeedsIndices(ctx, i));
  const Shape& list = ctx.shape(i);
  if (list.unknown_rank() || list == Shape{kUnknownDim}) return Shape::UnknownRank();
  if (list.rank() != 1 || list[0] > kMaxRank) {
    return ctx.Fail("input " + std::to_string(i) + " has shape " + list.ToString() +
                    "; a list of dims is accepted");
  }
  std::optional<std::vector<int64_t>> dims = ctx.ConstInts(i);
  if (!dims) return Shape::UnknownDims(static_cast<size_t>(list[0]));
  for (const int64_t dim : *dims) {
    if (dim < 0) {
      return ctx.Fail("input " + std::to_string(i) + " asks for shape " + Shape(*dims).ToString() +
                      ", which has a negative dim");
    }
  }
  return Shape(*std::move(dims));
}

Status FitsInside(const InferContext& ctx, const Shape& part, const Shape& whole, int64_t axis) {
  if (whole.unknown_rank()) return Status::Ok();
  GE_ASSIGN(const size_t index, AxisOf(ctx, axis, whole));
  if (part.unknown_rank()) return Status::Ok();
  bool fits = part.rank() == whole.rank();
  for (size_t i = 0; fits && i < whole.rank(); ++i) {
    const bool known = part[i] != kUnknownDim && whole[i] != kUnknownDim;
    fits = i == index || !known || part[i] <= whole[i];
  }
  if (fits) return Status::Ok();
  return ctx.Fail("indices " + part.ToString() + " must have the rank of " + whole.ToString() +
                  " and be no larger on any axis but " + std::to_string(index));
}

DataType SumDtype(const InferContext& ctx, DataType factor) {
  if (IsByte(factor)) return DataType::kInt32;
  return IsFloat(factor) && ctx.Bool("float32_result") ? DataType::kFloat : factor;
}

Status CheckZeroPoints(const InferContext& ctx, int64_t lines) {
  for (const size_t factor : {size_t{1}, size_t{0}}) {
    const size_t input = 4 - factor;
    if (!ctx.has_input(input)) continue;
    const std::string name = "the zero point of input " + std::to_string(factor);
    if (!IsByte(ctx.dtype(factor))) {
      return ctx.Fail("input " + std::to_string(factor) + ", which has a zero point, is " +
                      std::string(UserName(ctx.dtype(factor))) + "; int8 and uint8 are accepted");
    }
    if (ctx.dtype(input) != ctx.dtype(factor)) {
      return ctx.Fail(name + " is " + std::string(UserName(ctx.dtype(input))) + "; " +
                      std::string(UserName(ctx.dtype(factor))) + " is accepted");
    }
    const Shape& shape = ctx.shape(input);
    const std::optional<int64_t> count = shape.elements();
    if (shape.unknown_rank() || !count || *count == 1) continue;
    if (factor == 1 && shape.has_rank(1) && SameOrUnknown(shape[0], lines)) continue;
    return ctx.Fail(name + " has shape " + shape.ToString() + "; " +
                    (factor == 1 ? "[" + std::to_string(lines) + "] or " : "") +
                    "one element is accepted");
  }
  if (ctx.Int("offset_x") != 0 && !IsByte(ctx.dtype(0))) {
    return ctx.Fail("offset_x is " + std::to_string(ctx.Int("offset_x")) +
                    ", which goes with int8 and uint8 alone; input 0 is " +
                    std::string(UserName(ctx.dtype(0))));
  }
  return Status::Ok();
}

Status SameAsInput(InferContext& ctx) {
  ctx.SetOutput(0, ctx.dtype(0), ctx.shape(0));
  return Status::Ok();
}

Status FloatOfInput(InferContext& ctx) {
  ctx.SetOutput(0, IsFloat(ctx.dtype(0)) ? ctx.dtype(0) : DataType::kFloat, ctx.shape(0));
  return Status::Ok();
}

Status SameDtypes(const InferContext& ctx, size_t first) {
  for (size_t i = first; i < ctx.input_count(); ++i) {
    if (!ctx.has_input(i) || ctx.dtype(i) == ctx.dtype(first)) continue;
    return ctx.Fail("inputs " + std::to_string(first) + " and " + std::to_string(i) +
                    " have different dtypes: " + std::string(UserName(ctx.dtype(first))) + " and " +
                    std::string(UserName(ctx.dtype(i))));
  }
  return Status::Ok();
}

std::optional<Shape> MergeShapes(const Shape& a, const Shape& b) {
  if (a.unknown_rank()) return b;
  if (b.unknown_rank()) return a;
  if (a.rank() != b.rank()) return std::nullopt;
  Shape merged = a;
  for (size_t axis = 0; axis < a.rank(); ++axis) {
    const std::optional<int64_t> dim = MergeDims(a[axis], b[axis]);
    if (!dim) return std::nullopt;
    merged[axis] = *dim;
  }
  return merged;
}

Result<Shape> Broadcast(const InferContext& ctx, const Shape& a, const Shape& b) {
  if (a.unknown_rank() || b.unknown_rank()) return Shape::UnknownRank();
  const size_t rank = std::max(a.rank(), b.rank());
  Shape result = Shape::UnknownDims(rank);
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t dim_a = axis + a.rank() < rank ? 1 : a[axis + a.rank() - rank];
    const int64_t dim_b = axis + b.rank() < rank ? 1 : b[axis + b.rank() - rank];
    if (dim_a == 1) {
      result[axis] = dim_b;
    } else if (dim_b == 1) {
      result[axis] = dim_a;
    } else if (const std::optional<int64_t> dim = MergeDims(dim_a, dim_b)) {
      result[axis] = *dim;
    } else {
      return ctx.Fail("operands " + a.ToString() + " and " + b.ToString() + " differ in axis " +
                      std::to_string(axis) + (a.rank() == b.rank() ? "" : " of the result") + " (" +
                      std::to_string(dim_a) + " and " + std::to_string(dim_b) + ")");
    }
  }
  return result;
}

Status BroadcastInputs(InferContext& ctx, DataType dtype) {
  Shape shape = ctx.shape(0);
  for (size_t i = 1; i < ctx.input_count(); ++i) {
    if (!ctx.has_input(i)) continue;
    GE_ASSIGN(shape, Broadcast(ctx, shape, ctx.shape(i)));
  }
  ctx.SetOutput(0, dtype, std::move(shape));
  return Status::Ok();
}

Result<Shape> Reduced(const InferContext& ctx, const Shape& shape,
                      const std::optional<std::vector<int64_t>>& axes, bool keep_dims) {
  if (shape.unknown_rank()) return Shape::UnknownRank();
  if (!axes) return keep_dims ? Shape::UnknownDims(shape.rank()) : Shape::UnknownRank();
  std::vector<bool> reduced(shape.rank());
  for (const int64_t axis : *axes) {
    GE_ASSIGN(const size_t index, AxisOf(ctx, axis, shape));
    reduced[index] = true;
  }
  std::vector<int64_t> dims;
  for (size_t axis = 0; axis < shape.rank(); ++axis) {
    if (!reduced[axis]) dims.push_back(shape[axis]);
    if (reduced[axis] && keep_dims) dims.push_back(1);
  }
  return Shape(std::move(dims));
}

}  // namespace ge
