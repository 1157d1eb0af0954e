#pragma once

#include <string_view>
#include <vector>

#include "base/status.h"
#include "ir/graph.h"
#include "tables/table.h"

namespace ge::aclop {

// What an expression of core/tables/composed_ops.json cannot say with operators alone, because it
// depends on ranks, sizes or the axis order of a tensor.  `v` and `x` are values, `axis` and
// `axes` constant integers:
//
//   channel(x)          the axis of the channels: by data_format, or the format of the first input
//   others(x)           all axes but that
//   spatial(x)          all axes but that and the first
//   windows(list)       a list per spatial axis as one per axis, with 1 for the others
//   dim(x, axis)        the size of an axis
//   count(x, axes)      the number of elements along axes, in the dtype of x
//   like(v, x)          v in the dtype of x
//   along(v, x, axis)   v with axes of size 1 around its own, which lie from `axis` on in x
//   depthwise(v)        a filter of one channel each, as one of Conv2D with as many groups
//   crop(x, v)          from the attribute offsets on, as large as v from the attribute axis on
//   merged(x)           the axes from the attribute axis to end_axis as one
//   rolled(x)           by the attributes shifts and dims
//   shuffled(x)         the channels of `group` groups in turns
//   tiled(x)            repeated `tiles` times along the attribute axis
//   rows(x, n)          the shape of n rows of x
//   strided(x, begin, end, axes, strides)   StridedSliceV2 with the five masks
struct FunctionContext {
  Graph& graph;
  const std::string& name;  // of the operator
  std::string_view type;
  const AttrMap& attrs;
  Table row;
  Format format;  // of the first input
};

struct ComposedFunction {
  std::string_view name;
  Result<Value> (*run)(const FunctionContext& context, const std::vector<Value>& values);
  size_t needed = 1;                    // how many values must be there; others may be left out
  std::vector<std::string_view> attrs;  // that it reads
};

// nullptr when there is none of that name.
const ComposedFunction* FindComposedFunction(std::string_view name);

// Whether a function in the expression reads the attribute.
bool FunctionReads(std::string_view expression, std::string_view attr);

Value AddIntConst(Graph& graph, std::string_view name, const std::vector<int64_t>& list,
                  const Shape& shape);

}  // namespace ge::aclop
