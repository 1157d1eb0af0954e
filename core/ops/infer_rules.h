#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/heavy.h"
#include "ops/op_impl.h"

// Shape rules that several operators share.  Every function takes unknown dims (-1) and shapes of
// unknown rank, and fails with a message that names the shapes.
namespace ge {

// --- one dim ---

// Whether two dims may be equal.
inline bool SameOrUnknown(int64_t a, int64_t b) {
  return a == b || a == kUnknownDim || b == kUnknownDim;
}
// The dim that must equal both, the known one if there is one; nullopt when they differ.
std::optional<int64_t> MergeDims(int64_t a, int64_t b);
// Sum and product of dims.  -1 when an operand is unknown (but 0 times unknown is 0); nullopt when
// the result does not fit 63 bits.
std::optional<int64_t> AddDims(int64_t a, int64_t b);
std::optional<int64_t> MulDims(int64_t a, int64_t b);
// Product of the dims of axes first to last - 1; 1 when there are none.
std::optional<int64_t> ProductOfDims(const Shape& shape, size_t first, size_t last);

// --- axes ---

// `axis` counted from the front of `shape`, whose rank is known.
Result<size_t> AxisOf(const InferContext& ctx, int64_t axis, const Shape& shape);
// Several axes, in the order given.  Naming one twice is an error.
Result<std::vector<size_t>> AxesOf(const InferContext& ctx, std::span<const int64_t> axes,
                                   const Shape& shape);
// The single element of constant integer input i, nullopt when it is not known at compile time.
// Fails when the constant has not exactly one element.
Result<std::optional<int64_t>> ConstAxis(const InferContext& ctx, size_t i);

// Fails unless input i is int32 or int64.
Status NeedsIndices(const InferContext& ctx, size_t i);
// The shape that the list of integers at input i spells out; its dims are unknown when the list is
// not known at compile time.
Result<Shape> ShapeFromList(const InferContext& ctx, size_t i);

// Fails unless `part` has the rank of `whole` and is not larger on any axis but `axis`: what
// GatherElements and ScatterElements ask of their indices.
Status FitsInside(const InferContext& ctx, const Shape& part, const Shape& whole, int64_t axis);

// The dtype of sums of products of `factor`: int32 of int8 and uint8, float32 where the node says
// so by the attribute float32_result, else that of the factors.
DataType SumDtype(const InferContext& ctx, DataType factor);
// Fails unless the zero points that a product of 8-bit integers has at inputs 3, for factor 1 with
// `lines` channels or columns, and 4 or the attribute offset_x, for factor 0, fit those.
Status CheckZeroPoints(const InferContext& ctx, int64_t lines);

// --- whole shapes ---

// Output 0 looks like input 0.
Status SameAsInput(InferContext& ctx);
// The same, of float32 where input 0 has no floats.
Status FloatOfInput(InferContext& ctx);
// Fails unless inputs first, first + 1, ... that are there have the same dtype.
Status SameDtypes(const InferContext& ctx, size_t first = 0);
// `a` with what `b`, a shape of the same tensor, knows better; nullopt when they contradict.
std::optional<Shape> MergeShapes(const Shape& a, const Shape& b);
// Shape of an elementwise result: ranks are aligned at the last axis, dims of 1 are repeated.
Result<Shape> Broadcast(const InferContext& ctx, const Shape& a, const Shape& b);
// Output 0 has `dtype` and the shape that all inputs broadcast to.
Status BroadcastInputs(InferContext& ctx, DataType dtype);
// `shape` after a reduction over `axes`; nullopt: axes that are not known at compile time.  An axis
// may be named twice.
Result<Shape> Reduced(const InferContext& ctx, const Shape& shape,
                      const std::optional<std::vector<int64_t>>& axes, bool keep_dims);

}  // namespace ge
