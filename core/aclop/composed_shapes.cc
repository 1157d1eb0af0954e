// Functions of composed_functions.h that give a tensor another shape, or a part of it.
#include <algorithm>
#include <numeric>

#include "aclop/composed_parts.h"

namespace ge::aclop::composed {
namespace {

Result<Value> Turned(const FunctionContext& context, Value x, const Ints& perm) {
  return Add(context, "Transpose", {x, ListOf(context, perm)});
}

}  // namespace

Result<Value> Like(const FunctionContext& context, const Values& values) {
  AttrMap attrs;
  attrs.Set("dst_type", static_cast<int64_t>(values[1].desc().dtype));
  return Add(context, "Cast", {values[0]}, std::move(attrs));
}

Result<Value> Along(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape v, KnownRank(context, values[0]));
  GE_ASSIGN(const Shape x, KnownRank(context, values[1]));
  if (v.rank() == 0 || v.rank() == x.rank()) return values[0];
  GE_ASSIGN(const size_t first, AxisOf(context, values[2], x.rank()));
  if (first + v.rank() > x.rank()) {
    return Fail(context, "a tensor " + v.ToString() + " does not fit " + x.ToString() +
                             " from axis " + std::to_string(first) + " on");
  }
  Ints ones;
  for (size_t axis = 0; axis < x.rank(); ++axis) {
    if (axis < first || axis >= first + v.rank()) ones.push_back(static_cast<int64_t>(axis));
  }
  return WithAttr(context, "Unsqueeze", values[0], "axes", std::move(ones));
}

Result<Value> Depthwise(const FunctionContext& context, const Values& values) {
  const Value filter = values[0];
  if (!filter.desc().shape.has_rank(4)) {
    return Fail(context,
                "filter has shape " + filter.desc().shape.ToString() + "; 4 dims are accepted");
  }
  const Format format = filter.desc().format;
  Ints perm = {1, 0, 2, 3};  // NCHW, whose N is the number of filters of a channel
  if (format == Format::kHWCN) perm = {2, 3, 0, 1};
  if (format == Format::kNHWC) perm = {3, 0, 1, 2};
  GE_ASSIGN(const Value turned, Turned(context, filter, perm));
  const Shape& dims = turned.desc().shape;
  GE_ASSIGN(const Value whole, Reshaped(context, turned, {-1, 1, dims[2], dims[3]}));
  whole.node->output(0).format = Format::kNCHW;
  return whole;
}

Result<Value> Merged(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape x, KnownRank(context, values[0]));
  if (x.rank() == 0) return Reshaped(context, values[0], {1});
  GE_ASSIGN(const size_t first, AxisIn(context, IntOf(context, "axis"), x.rank()));
  GE_ASSIGN(const size_t last, AxisIn(context, IntOf(context, "end_axis"), x.rank()));
  if (first > last) return Fail(context, "end_axis lies before axis");
  Ints dims(x.dims().begin(), x.dims().end());
  dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(first),
             dims.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(first), -1);
  if (std::count(dims.begin(), dims.end(), -1) > 1) {
    return Fail(context, "sizes of axes that stay must be known");
  }
  return Reshaped(context, values[0], dims);
}

Result<Value> Shuffled(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape x, KnownRank(context, values[0]));
  if (x.rank() < 2) return Fail(context, "its tensor has no channels");
  const int64_t groups = IntOf(context, "group");
  GE_ASSIGN(const int64_t channels, SizeOf(context, values[0], 1));
  if (groups < 1 || channels % groups != 0) {
    return Fail(context, "group " + std::to_string(groups) + " does not divide " +
                             std::to_string(channels) + " channels");
  }
  for (size_t axis = 2; axis < x.rank(); ++axis) GE_TRY(SizeOf(context, values[0], axis).status());
  Ints cut(x.dims().begin(), x.dims().end());
  cut[0] = -1;
  cut[1] = channels / groups;
  Ints whole = cut, perm(x.rank() + 1);
  whole[1] = channels;
  cut.insert(cut.begin() + 1, groups);
  std::iota(perm.begin(), perm.end(), 0);
  std::swap(perm[1], perm[2]);
  GE_ASSIGN(const Value parts, Reshaped(context, values[0], cut));
  GE_ASSIGN(const Value turned, Turned(context, parts, perm));
  return Reshaped(context, turned, whole);
}

Result<Value> Tiled(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape x, KnownRank(context, values[0]));
  GE_ASSIGN(const size_t axis, AxisIn(context, IntOf(context, "axis"), x.rank()));
  Ints times(x.rank(), 1);
  times[axis] = IntOf(context, "tiles");
  return Add(context, "Tile", {values[0], ListOf(context, times)});
}

Result<Value> Cropped(const FunctionContext& context, const Values& values) {
  GE_ASSIGN(const Shape x, KnownRank(context, values[0]));
  GE_ASSIGN(const Shape size, KnownRank(context, values[1]));
  GE_ASSIGN(const size_t first, AxisIn(context, IntOf(context, "axis"), x.rank()));
  const Ints offsets = std::get<Ints>(AttrOf(context, "offsets"));
  const bool one_for_all = offsets.size() == 1;
  if (size.rank() != x.rank() || (!one_for_all && offsets.size() != x.rank() - first)) {
    return Fail(context, "x is " + x.ToString() + ", size " + size.ToString() + ", and there are " +
                             std::to_string(offsets.size()) + " offsets from axis " +
                             std::to_string(first) + " on");
  }
  Part part;
  for (size_t axis = first; axis < x.rank(); ++axis) {
    const int64_t offset = one_for_all ? offsets[0] : offsets[axis - first];
    GE_ASSIGN(const int64_t wanted, SizeOf(context, values[1], axis));
    GE_ASSIGN(const int64_t there, SizeOf(context, values[0], axis));
    if (offset < 0 || offset > there - wanted) {
      return Fail(context, "offset " + std::to_string(offset) + " of axis " + std::to_string(axis) +
                               " leaves no room for " + std::to_string(wanted) + " of " +
                               std::to_string(there));
    }
    part.Add(axis, offset, offset + wanted, 1);
  }
  return Cut(context, values[0], part);
}

Result<Value> Rolled(const FunctionContext& context, const Values& values) {
  const Ints shifts = std::get<Ints>(AttrOf(context, "shifts"));
  const Ints dims = std::get<Ints>(AttrOf(context, "dims"));
  GE_ASSIGN(const Shape x, KnownRank(context, values[0]));
  const bool whole = dims.empty();  // as one row
  if (shifts.size() != (whole ? 1 : dims.size())) {
    return Fail(context, "there are " + std::to_string(shifts.size()) + " shifts for " +
                             std::to_string(dims.size()) + " dims");
  }
  Value y = values[0];
  if (whole) {
    GE_ASSIGN(y, Reshaped(context, y, {-1}));
  }
  for (size_t i = 0; i < shifts.size(); ++i) {
    GE_ASSIGN(const size_t axis, AxisIn(context, whole ? 0 : dims[i], y.desc().shape.rank()));
    GE_ASSIGN(const int64_t size, SizeOf(context, y, axis));
    const int64_t shift = size == 0 ? 0 : (shifts[i] % size + size) % size;
    if (shift == 0) continue;
    Part tail, head;
    tail.Add(axis, size - shift, size, 1);
    head.Add(axis, 0, size - shift, 1);
    GE_ASSIGN(const Value first, Cut(context, y, tail));
    GE_ASSIGN(const Value second, Cut(context, y, head));
    AttrMap attrs;
    attrs.Set("concat_dim", static_cast<int64_t>(axis));
    GE_ASSIGN(y, Add(context, "ConcatD", {first, second}, std::move(attrs)));
  }
  if (whole) return Reshaped(context, y, Ints(x.dims().begin(), x.dims().end()));
  return y;
}

}  // namespace ge::aclop::composed
