#pragma once

#include <string>
#include <vector>

#include "aclop/composed_functions.h"

// What the functions of composed_functions.h are made of, and the functions.
namespace ge::aclop::composed {

using Ints = std::vector<int64_t>;
using Values = std::vector<Value>;

Status Fail(const FunctionContext& context, std::string reason);
Attr AttrOf(const FunctionContext& context, std::string_view name);
int64_t IntOf(const FunctionContext& context, std::string_view name);
Result<Shape> KnownRank(const FunctionContext& context, Value value);
Result<Ints> Constant(const FunctionContext& context, Value value, std::string_view what);
// `axis` is that of a tensor of `rank` dims.
Result<size_t> AxisIn(const FunctionContext& context, int64_t axis, size_t rank);
Result<size_t> AxisOf(const FunctionContext& context, Value axis, size_t rank);
Value ListOf(const FunctionContext& context, const Ints& list);
Result<Value> Add(const FunctionContext& context, std::string_view type, const Values& inputs,
                  AttrMap attrs = {});
Result<Value> WithAttr(const FunctionContext& context, std::string_view type, Value x,
                       std::string_view name, Ints list);
Result<int64_t> SizeOf(const FunctionContext& context, Value x, size_t axis);

// StridedSliceV2 along some axes.
struct Part {
  Ints begin, end, axes, strides;

  void Add(size_t axis, int64_t first, int64_t past, int64_t stride) {
    axes.push_back(static_cast<int64_t>(axis));
    begin.push_back(first);
    end.push_back(past);
    strides.push_back(stride);
  }
};
Result<Value> Cut(const FunctionContext& context, Value x, const Part& part);
Result<Value> Reshaped(const FunctionContext& context, Value x, const Ints& dims);

Result<Value> Along(const FunctionContext& context, const Values& values);
Result<Value> Channel(const FunctionContext& context, const Values& values);
Result<Value> Count(const FunctionContext& context, const Values& values);
Result<Value> Cropped(const FunctionContext& context, const Values& values);
Result<Value> Depthwise(const FunctionContext& context, const Values& values);
Result<Value> Dim(const FunctionContext& context, const Values& values);
Result<Value> Like(const FunctionContext& context, const Values& values);
Result<Value> Merged(const FunctionContext& context, const Values& values);
Result<Value> Others(const FunctionContext& context, const Values& values);
Result<Value> Rolled(const FunctionContext& context, const Values& values);
Result<Value> Rows(const FunctionContext& context, const Values& values);
Result<Value> Shuffled(const FunctionContext& context, const Values& values);
Result<Value> Spatial(const FunctionContext& context, const Values& values);
Result<Value> Strided(const FunctionContext& context, const Values& values);
Result<Value> Tiled(const FunctionContext& context, const Values& values);
Result<Value> Windows(const FunctionContext& context, const Values& values);

}  // namespace ge::aclop::composed
